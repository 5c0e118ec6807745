import CBCSolver
import EnergyCommands
import SQLiteStore

await EnergyControl.run(planSolver: CBCSolver(), logRestorer: SQLiteLogRestorer())
