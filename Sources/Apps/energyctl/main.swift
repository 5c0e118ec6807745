import CBCSolver
import EnergyCommands

await EnergyControl.run(planSolver: CBCSolver())
