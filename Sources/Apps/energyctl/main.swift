import CBCSolver
import EnergyCommands
import SQLiteStore
import StoreMigration

await EnergyControl.run(
    CommandTools(
        planSolver: CBCSolver(), logRestorer: SQLiteLogRestorer(), storeMigrator: SQLiteToPostgreSQL()))
