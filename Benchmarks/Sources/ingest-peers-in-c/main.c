// The peers of bench-ingest, as a C programmer would drive them: batches of events, each batch durable when it counts.
//
//   ingest-peers-in-c redis SOCKET SENDERS SECONDS BATCH     XADD per event, pipelined by batch
//   ingest-peers-in-c postgresql CONNINFO SENDERS SECONDS BATCH     one multi-row INSERT per batch, binary parameters
//   ingest-peers-in-c sqlite FILE 1 SECONDS BATCH     one prepared INSERT per event, one transaction per batch
//   ingest-peers-in-c gridtide ENDPOINT SENDERS SECONDS 1     Events/Submit, see gridtide.c
//
// Prints the events per second. An event has the members of a vehicle's load event; its id is a key wherever there are
// keys, because an event sent twice must count once. Redis streams have none: there the event is one field.

#include "peers.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { COLUMNS = 11, EVENT_BYTES = 170 };

const char *target;
double deadline;
static int batch;

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

void die(const char *what, const char *why) {
    fprintf(stderr, "ingest-peers-in-c: %s: %s\n", what, why);
    exit(1);
}

static uint64_t next(struct sender *sender) {  // SplitMix64
    uint64_t z = (sender->random += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

void uuid(struct sender *sender, unsigned char *to) {
    uint64_t halves[2] = {next(sender), next(sender)};
    memcpy(to, halves, 16);
}

// Redis ----------------------------------------------------------------------------------------------------------------

static void *redis(void *argument) {
    struct sender *sender = argument;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, target, sizeof address.sun_path - 1);
    int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(socket_, (struct sockaddr *)&address, sizeof address) != 0) die("redis", strerror(errno));
    char *commands = malloc(batch * (EVENT_BYTES + 100)), reply[65536];
    while (now() < deadline) {
        char *end = commands;
        for (int i = 0; i < batch; i++) {
            end += sprintf(end, "*5\r\n$4\r\nXADD\r\n$6\r\nevents\r\n$1\r\n*\r\n$1\r\ne\r\n$%d\r\n", EVENT_BYTES);
            memset(end, 'e', EVENT_BYTES);
            uuid(sender, (unsigned char *)end);
            end += EVENT_BYTES;
            end += sprintf(end, "\r\n");
        }
        for (char *from = commands; from < end;) {
            ssize_t sent = write(socket_, from, end - from);
            if (sent <= 0) die("redis", strerror(errno));
            from += sent;
        }
        // A reply is a bulk string: two lines.
        for (int lines = 0; lines < 2 * batch;) {
            ssize_t count = read(socket_, reply, sizeof reply);
            if (count <= 0) die("redis", "closed");
            if (reply[0] == '-') die("redis", reply);
            for (ssize_t i = 0; i < count; i++) lines += reply[i] == '\n';
        }
        sender->events += batch;
    }
    return NULL;
}

// PostgreSQL -----------------------------------------------------------------------------------------------------------

static void big_endian(char *to, uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--, value >>= 8) to[i] = (char)value;
}

static void *postgresql(void *argument) {
    struct sender *sender = argument;
    PGconn *connection = PQconnectdb(target);
    if (PQstatus(connection) != CONNECTION_OK) die("postgresql", PQerrorMessage(connection));
    char *sql = malloc(200 + batch * COLUMNS * 8), *end = sql + sprintf(sql, "INSERT INTO event VALUES ");
    for (int row = 0; row < batch; row++) {
        for (int column = 0; column < COLUMNS; column++)
            end += sprintf(end, "%s$%d", column ? "," : row ? ",(" : "(", row * COLUMNS + column + 1);
        *end++ = ')';
    }
    strcpy(end, " ON CONFLICT DO NOTHING");
    PGresult *result = PQprepare(connection, "insert", sql, 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) die("postgresql", PQerrorMessage(connection));
    PQclear(result);

    int parameters = batch * COLUMNS;
    static const int widths[COLUMNS] = {16, 16, 6, 8, 16, 2, 16, 2, 2, 8, 8};
    char *memory = calloc(parameters, 16);
    const char **values = malloc(parameters * sizeof *values);
    int *lengths = malloc(parameters * sizeof *lengths), *formats = malloc(parameters * sizeof *formats);
    unsigned char session[16], venue[16], token[16];
    uuid(sender, venue);
    uuid(sender, token);
    for (int i = 0; i < parameters; i++) {
        values[i] = memory + i * 16;
        lengths[i] = widths[i % COLUMNS];
        formats[i] = 1;
    }
    while (now() < deadline) {
        uuid(sender, session);
        for (int row = 0; row < batch; row++) {
            char *at = memory + row * COLUMNS * 16;
            uuid(sender, (unsigned char *)at);
            memcpy(at + 16, venue, 16);
            memcpy(at + 32, "car-01", 6);
            big_endian(at + 48, 1790000000000 + row * 1000, 8);
            memcpy(at + 64, session, 16);
            big_endian(at + 80, 2, 2);
            memcpy(at + 96, token, 16);
            big_endian(at + 112, 55, 2);
            big_endian(at + 128, 1, 2);
            big_endian(at + 144, 7000000, 8);
            big_endian(at + 160, 1944 * row, 8);
        }
        result = PQexecPrepared(connection, "insert", parameters, values, lengths, formats, 0);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) die("postgresql", PQerrorMessage(connection));
        PQclear(result);
        sender->events += batch;
    }
    PQfinish(connection);
    return NULL;
}

// SQLite ---------------------------------------------------------------------------------------------------------------

static void run(sqlite3 *database, const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) die(sql, sqlite3_errmsg(database));
}

static void *sqlite(void *argument) {
    struct sender *sender = argument;
    sqlite3 *database;
    if (sqlite3_open(target, &database) != SQLITE_OK) die("sqlite", sqlite3_errmsg(database));
    run(database, "PRAGMA journal_mode = WAL");
    run(database, "PRAGMA synchronous = FULL");
    run(database,
        "CREATE TABLE IF NOT EXISTS event (id BLOB PRIMARY KEY, venue BLOB, device TEXT, time INTEGER, session BLOB,"
        " state INTEGER, token BLOB, soc INTEGER, direction INTEGER, power INTEGER, energy INTEGER) WITHOUT ROWID");
    sqlite3_stmt *insert;
    if (sqlite3_prepare_v2(
            database, "INSERT OR IGNORE INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?)", -1, &insert, NULL) != SQLITE_OK)
        die("sqlite", sqlite3_errmsg(database));
    unsigned char id[16], venue[16], session[16], token[16];
    uuid(sender, venue);
    uuid(sender, token);
    while (now() < deadline) {
        uuid(sender, session);
        run(database, "BEGIN IMMEDIATE");
        for (int row = 0; row < batch; row++) {
            uuid(sender, id);
            sqlite3_bind_blob(insert, 1, id, 16, SQLITE_STATIC);
            sqlite3_bind_blob(insert, 2, venue, 16, SQLITE_STATIC);
            sqlite3_bind_text(insert, 3, "car-01", 6, SQLITE_STATIC);
            sqlite3_bind_int64(insert, 4, 1790000000000 + row * 1000);
            sqlite3_bind_blob(insert, 5, session, 16, SQLITE_STATIC);
            sqlite3_bind_int(insert, 6, 2);
            sqlite3_bind_blob(insert, 7, token, 16, SQLITE_STATIC);
            sqlite3_bind_int(insert, 8, 55);
            sqlite3_bind_int(insert, 9, 1);
            sqlite3_bind_int64(insert, 10, 7000000);
            sqlite3_bind_int64(insert, 11, 1944 * row);
            if (sqlite3_step(insert) != SQLITE_DONE) die("sqlite", sqlite3_errmsg(database));
            sqlite3_reset(insert);
        }
        run(database, "COMMIT");
        sender->events += batch;
    }
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return NULL;
}

// A thread for each sender.
static uint64_t run_all(void *(*work)(void *), struct sender *all, int senders) {
    pthread_t *threads = calloc(senders, sizeof *threads);
    for (int i = 0; i < senders; i++)
        if (pthread_create(&threads[i], NULL, work, &all[i]) != 0) die("thread", strerror(errno));
    uint64_t events = 0;
    for (int i = 0; i < senders; i++) {
        pthread_join(threads[i], NULL);
        events += all[i].events;
    }
    return events;
}

int main(int count, char **arguments) {
    if (count != 6) die("usage", "ingest-peers-in-c redis|postgresql|sqlite|gridtide TARGET SENDERS SECONDS BATCH");
    target = arguments[2];
    batch = atoi(arguments[5]);
    int senders = atoi(arguments[3]);
    struct sender *all = calloc(senders, sizeof *all);
    double start = now();
    deadline = start + atof(arguments[4]);
    // Not the same ids in the next round.
    for (int i = 0; i < senders; i++)
        all[i].random = (uint64_t)(start * 1e9) * 0x9E3779B97F4A7C15u + ((uint64_t)getpid() << 32) + i;
    const char *peer = arguments[1];
    uint64_t events = strcmp(peer, "gridtide") == 0 ? gridtide(all, senders)
        : strcmp(peer, "redis") == 0                ? run_all(redis, all, senders)
        : strcmp(peer, "postgresql") == 0           ? run_all(postgresql, all, senders)
                                                    : run_all(sqlite, all, senders);
    printf("%.1f\n", events / (now() - start));
}
