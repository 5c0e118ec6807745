import EnergyCommands

await EnergyControl.run()
