import CBCSolver
import EnergyCommands
import SQLiteStore
import StoreMigration

await EnergyControl.run(
    CommandTools(
        planSolver: CBCSolver(), backupMaker: SQLiteBackupMaker(), storeRestorer: SQLiteStoreRestorer(),
        storeMigrator: SQLiteToPostgreSQL()))
