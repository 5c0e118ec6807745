// Tries to get into a service with libzmq alone, and says how it was refused: one line of standard output.
//
//   intruder CASE NAME=VALUE...
//
//   requests, publications   the service's addresses
//   server, other            its public key, and another service's
//   secret                   a key that is known, and limited to one venue
//   venue                    another venue's id, as text
//
// intruder.py does the same in Python. Both are run by Tests/EndToEndTests/IntruderTests.swift.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#define PATIENCE_MS 3000
#define KIND_REQUEST 1
#define HANDSHAKE_ENDS                                                                                    \
    (ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL \
     | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)

static void *context;
static int argument_count;
static char **arguments;

static void die(const char *what) {
    fprintf(stderr, "intruder: %s: %s\n", what, zmq_strerror(errno));
    exit(1);
}

static const char *argument(const char *name) {
    size_t length = strlen(name);
    for (int i = 2; i < argument_count; i++)
        if (strncmp(arguments[i], name, length) == 0 && arguments[i][length] == '=') return arguments[i] + length + 1;
    fprintf(stderr, "intruder: %s=... is missing\n", name);
    exit(64);
}

// MARK: Sockets

// A socket that shows the secret to the owner of the server key; without a secret it shows none.
static void *new_socket(int kind, const char *secret, const char *server) {
    void *socket = zmq_socket(context, kind);
    int linger = 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (secret == NULL) return socket;
    char public[41];
    if (zmq_curve_public(public, secret) != 0) die("the key");
    if (zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server, 41) != 0
        || zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, public, 41) != 0
        || zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret, 41) != 0)
        die("the keys");
    return socket;
}

static void *monitor(void *socket) {
    static int count = 0;
    char address[32];
    snprintf(address, sizeof address, "inproc://monitor-%d", count++);
    if (zmq_socket_monitor(socket, address, HANDSHAKE_ENDS) != 0) die("monitor");
    void *pair = zmq_socket(context, ZMQ_PAIR);
    if (zmq_connect(pair, address) != 0) die("monitor");
    return pair;
}

// How the handshake ended, as the monitor says it.
static const char *handshake(void *socket, const char *address) {
    void *pair = monitor(socket);
    if (zmq_connect(socket, address) != 0) die(address);
    zmq_pollitem_t item = {pair, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, PATIENCE_MS) <= 0) return "no end of the handshake";
    uint8_t event[6];
    if (zmq_recv(pair, event, sizeof event, 0) != sizeof event) die("monitor");
    char where[256];
    zmq_recv(pair, where, sizeof where, 0);
    switch (event[0] | event[1] << 8) {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return "let in";
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return "refused: not admitted";
    default: return "refused: no common handshake";
    }
}

// MARK: Frames, by hand

struct bytes {
    uint8_t at[512];
    size_t count;
};

static void put_number(struct bytes *bytes, int field, uint64_t value) {
    bytes->at[bytes->count++] = (uint8_t)(field << 3);
    for (; value >= 0x80; value >>= 7) bytes->at[bytes->count++] = (uint8_t)(value | 0x80);
    bytes->at[bytes->count++] = (uint8_t)value;
}

static void put_bytes(struct bytes *bytes, int field, const void *value, size_t count) {
    bytes->at[bytes->count++] = (uint8_t)(field << 3 | 2);
    bytes->at[bytes->count++] = (uint8_t)count;
    memcpy(bytes->at + bytes->count, value, count);
    bytes->count += count;
}

static struct bytes request(uint64_t call, const char *method, const struct bytes *body) {
    struct bytes header = {.count = 0}, frame = {.at = {0xA7, 1}, .count = 4};
    put_number(&header, 1, KIND_REQUEST);
    put_number(&header, 2, call);
    put_bytes(&header, 3, method, strlen(method));
    put_number(&header, 8, 8);
    frame.at[2] = (uint8_t)(header.count >> 8);
    frame.at[3] = (uint8_t)header.count;
    memcpy(frame.at + 4, header.at, header.count);
    memcpy(frame.at + 4 + header.count, body->at, body->count);
    frame.count += header.count + body->count;
    return frame;
}

// The status in a reply's header; 0 where there is none, -1 for what is no frame.
static int status_of(const uint8_t *frame, size_t count) {
    if (count < 4 || frame[0] != 0xA7) return -1;
    size_t end = 4 + (size_t)(frame[2] << 8 | frame[3]);
    for (size_t i = 4; i < end && end <= count;) {
        uint64_t key = 0, value = 0;
        for (int shift = 0; i < end; shift += 7) {
            key |= (uint64_t)(frame[i] & 0x7f) << shift;
            if (!(frame[i++] & 0x80)) break;
        }
        for (int shift = 0; i < end; shift += 7) {
            value |= (uint64_t)(frame[i] & 0x7f) << shift;
            if (!(frame[i++] & 0x80)) break;
        }
        if (key == (10 << 3)) return (int)value;
        if ((key & 7) == 2) i += value;
    }
    return 0;
}

// The status of the answer to a frame, or -2 when none comes.
static int answer_to(void *socket, const uint8_t *frame, size_t count, int patience_ms) {
    if (zmq_send(socket, frame, count, ZMQ_DONTWAIT) < 0) return -2;
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, patience_ms) <= 0) return -2;
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    if (zmq_msg_recv(&reply, socket, 0) < 0) die("recv");
    int status = status_of(zmq_msg_data(&reply), zmq_msg_size(&reply));
    zmq_msg_close(&reply);
    return status;
}

// The status of the answer to a request, or -2 when none comes.
static int ask(void *socket, const char *method, const struct bytes *body, int patience_ms) {
    static uint64_t call = 0;
    struct bytes frame = request(++call, method, body);
    return answer_to(socket, frame.at, frame.count, patience_ms);
}

static const struct bytes nothing = {.count = 0};

static struct bytes prefixed(const char *prefix) {
    struct bytes body = {.count = 0};
    put_bytes(&body, 1, prefix, strlen(prefix));
    return body;
}

// GuidanceRequest of a venue.
static struct bytes guidance_of(const char *venue) {
    uint8_t id[16];
    int count = 0;
    for (const char *at = venue; *at != 0 && count < 16; at++) {
        if (*at == '-') continue;
        unsigned value;
        sscanf(at, "%2x", &value);
        id[count++] = (uint8_t)value;
        at++;
    }
    struct bytes body = {.count = 0};
    put_bytes(&body, 1, id, 16);
    put_number(&body, 2, 1);
    return body;
}

static void say_status(int status) {
    if (status == -2) printf("unanswered\n");
    else printf("status %d\n", status);
}

static void *let_in(const char *name, size_t name_count) {
    void *socket = new_socket(ZMQ_DEALER, argument("secret"), argument("server"));
    if (name != NULL && zmq_setsockopt(socket, ZMQ_ROUTING_ID, name, name_count) != 0) die("routing id");
    const char *end = handshake(socket, argument("requests"));
    if (strcmp(end, "let in") == 0) return socket;
    printf("%s\n", end);
    exit(0);
}

// MARK: Replay

// Hands on what a client and the service say to each other, and keeps what the client said.
struct relay {
    int listener, client, service;
    uint8_t said[65536];
    size_t count;
};

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int dial(const char *address) {
    struct sockaddr_in service = loopback(atoi(strrchr(address, ':') + 1));
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&service, sizeof service) != 0) die("connect");
    return descriptor;
}

static void hand_on(struct relay *relay, int is_client) {
    uint8_t buffer[4096];
    ssize_t count = read(is_client ? relay->client : relay->service, buffer, sizeof buffer);
    if (count <= 0) return;
    if (write(is_client ? relay->service : relay->client, buffer, (size_t)count) != count) die("relay");
    if (!is_client || relay->count + (size_t)count > sizeof relay->said) return;
    memcpy(relay->said + relay->count, buffer, (size_t)count);
    relay->count += (size_t)count;
}

static void record(struct relay *relay) {
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    relay->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(relay->listener, (struct sockaddr *)&address, size) != 0 || listen(relay->listener, 1) != 0) die("listen");
    getsockname(relay->listener, (struct sockaddr *)&address, &size);
    char endpoint[32];
    snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
    void *client = new_socket(ZMQ_DEALER, argument("secret"), argument("server"));
    if (zmq_connect(client, endpoint) != 0) die(endpoint);
    relay->client = accept(relay->listener, NULL, NULL);
    relay->service = dial(argument("requests"));
    struct bytes frame = request(1, "energy.v1.Venues/List", &nothing);
    if (zmq_send(client, frame.at, frame.count, 0) < 0) die("send");
    for (;;) {
        zmq_pollitem_t items[] = {
            {client, 0, ZMQ_POLLIN, 0}, {NULL, relay->client, ZMQ_POLLIN, 0}, {NULL, relay->service, ZMQ_POLLIN, 0}};
        if (zmq_poll(items, 3, PATIENCE_MS) <= 0) die("nothing to record");
        if (items[0].revents) return;
        if (items[1].revents) hand_on(relay, 1);
        if (items[2].revents) hand_on(relay, 0);
    }
}

// The bytes of a client that was let in, said again: all at once, and step by step as the service answers.
static void replay(void) {
    static struct relay relay;
    record(&relay);
    int descriptor = dial(argument("requests"));
    struct timeval patience = {.tv_sec = PATIENCE_MS / 1000};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (write(descriptor, relay.said, relay.count) < 0) die("replay");
    size_t heard = 0;
    uint8_t buffer[4096];
    for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) > 0;) heard += (size_t)count;
    // A greeting of 64 bytes and WELCOME of 170; READY comes to a client that was let in, and only then.
    printf(heard <= 64 + 170 ? "refused: no common handshake\n" : "let in\n");
}

// MARK: Cases

static void try_subscribing(const char *prefix) {
    void *socket = new_socket(ZMQ_SUB, argument("secret"), argument("server"));
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, prefix, strlen(prefix));
    printf("%s\n", handshake(socket, argument("publications")));
}

static void try_until_revoked(void) {
    void *socket = let_in(NULL, 0);
    int status = ask(socket, "energy.v1.Venues/List", &nothing, PATIENCE_MS);
    say_status(status);
    fflush(stdout);
    // Each answer is waited for, so this is no busier than the service; whoever runs it ends it in time.
    while (status == 0) status = ask(socket, "energy.v1.Venues/List", &nothing, PATIENCE_MS);
    say_status(status);
    // That may have been the end of a call in flight; this one comes after the revocation.
    say_status(ask(socket, "energy.v1.Venues/List", &nothing, PATIENCE_MS));
}

// Venues/List with a body of 70,000 bytes.
static void try_too_large(void) {
    struct bytes frame = request(1, "energy.v1.Venues/List", &nothing);
    size_t count = frame.count + 70000;
    uint8_t *large = calloc(1, count);
    if (large == NULL) die("memory");
    memcpy(large, frame.at, frame.count);
    say_status(answer_to(let_in(NULL, 0), large, count, PATIENCE_MS));
    free(large);
}

int main(int count, char **values) {
    argument_count = count;
    arguments = values;
    if (count < 2) return 64;
    const char *name = values[1];
    context = zmq_ctx_new();
    if (strcmp(name, "no-key") == 0) {
        printf("%s\n", handshake(new_socket(ZMQ_DEALER, NULL, NULL), argument("requests")));
    } else if (strcmp(name, "wrong-key") == 0) {
        char public[41], secret[41];
        if (zmq_curve_keypair(public, secret) != 0) die("key pair");
        printf("%s\n", handshake(new_socket(ZMQ_DEALER, secret, argument("server")), argument("requests")));
    } else if (strcmp(name, "known-key") == 0) {
        say_status(ask(let_in(NULL, 0), "energy.v1.Venues/List", &nothing, PATIENCE_MS));
    } else if (strcmp(name, "other-server") == 0) {
        printf("%s\n", handshake(new_socket(ZMQ_DEALER, argument("secret"), argument("other")), argument("requests")));
    } else if (strcmp(name, "other-venue") == 0) {
        struct bytes body = guidance_of(argument("venue"));
        say_status(ask(let_in(NULL, 0), "energy.v1.Guidance/Get", &body, PATIENCE_MS));
    } else if (strcmp(name, "subscribe-all") == 0) {
        try_subscribing("");
    } else if (strcmp(name, "subscribe-prefix") == 0) {
        try_subscribing("guidance/");
    } else if (strcmp(name, "follow-all") == 0) {
        struct bytes body = prefixed("");
        say_status(ask(let_in(NULL, 0), "energy.v1.Publications/Follow", &body, PATIENCE_MS));
    } else if (strcmp(name, "follow-prefix") == 0) {
        struct bytes body = prefixed("guidance/");
        say_status(ask(let_in(NULL, 0), "energy.v1.Publications/Follow", &body, PATIENCE_MS));
    } else if (strcmp(name, "own-name") == 0) {
        say_status(ask(let_in("gateway", 7), "energy.v1.Venues/List", &nothing, 1000));
    } else if (strcmp(name, "name-like-routers") == 0) {
        say_status(ask(let_in("\0\1\2\3\4", 5), "energy.v1.Venues/List", &nothing, 1000));
    } else if (strcmp(name, "takeover") == 0) {
        // Whoever comes second takes the name and the replies of the first, if ROUTER hands names over.
        void *first = let_in("gateway", 7), *second = let_in("gateway", 7), *unnamed = let_in(NULL, 0);
        int statuses[] = {
            ask(first, "energy.v1.Venues/List", &nothing, 1000), ask(second, "energy.v1.Venues/List", &nothing, 1000)};
        if (statuses[0] != -2 || statuses[1] != -2) printf("answered\n");
        else say_status(ask(unnamed, "energy.v1.Venues/List", &nothing, PATIENCE_MS));
    } else if (strcmp(name, "garbage") == 0) {
        // No frame is answered; what comes after it is.
        void *socket = let_in(NULL, 0);
        if (answer_to(socket, (const uint8_t *)"garbage", 7, 500) != -2) printf("answered\n");
        else say_status(ask(socket, "energy.v1.Venues/List", &nothing, PATIENCE_MS));
    } else if (strcmp(name, "nested") == 0) {
        // Groups in groups, and none of them ends.
        struct bytes body = {.count = 300};
        memset(body.at, 1 << 3 | 3, body.count);
        say_status(ask(let_in(NULL, 0), "energy.v1.Guidance/Get", &body, PATIENCE_MS));
    } else if (strcmp(name, "too-large") == 0) {
        try_too_large();
    } else if (strcmp(name, "replay") == 0) {
        replay();
    } else if (strcmp(name, "until-revoked") == 0) {
        try_until_revoked();
    } else {
        return 64;
    }
    return 0;
}
