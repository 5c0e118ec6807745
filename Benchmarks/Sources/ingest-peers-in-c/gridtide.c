// Single events to Gridtide as a C programmer would send them, from proto/README.md and libzmq: a DEALER for each sender,
// one event in flight on each.

#include "peers.h"

#include <zmq.h>

// Protobuf, as much of it as an event takes. A buffer is filled from its end, so that a length is known when it is written.
struct message {
    unsigned char bytes[512];
    unsigned char *start;
};

static void put(struct message *m, const void *bytes, size_t count) {
    m->start -= count;
    memcpy(m->start, bytes, count);
}

static void varint(struct message *m, uint64_t value) {
    unsigned char bytes[10];
    int count = 0;
    for (; value >= 0x80; value >>= 7) bytes[count++] = (unsigned char)(value | 0x80);
    bytes[count++] = (unsigned char)value;
    put(m, bytes, count);
}

static void number(struct message *m, int field, uint64_t value) {
    varint(m, value);
    varint(m, field << 3);
}

static void bytes(struct message *m, int field, const void *value, size_t count) {
    put(m, value, count);
    varint(m, count);
    varint(m, field << 3 | 2);
}

// What was put since `end` becomes the field's message.
static void enclose(struct message *m, int field, const unsigned char *end) {
    varint(m, end - m->start);
    varint(m, field << 3 | 2);
}

struct car {
    void *socket;
    unsigned char venue[16], session[16];
    uint64_t start, step;
};

// A request of one event: 7 kW, sessions of 100 events. The fields' numbers are those of event.proto and envelope.proto.
static void submit(struct sender *sender, struct car *car) {
    static const char method[] = "energy.v1.Events/Submit";
    uint64_t place = car->step % 100;
    unsigned char id[16], head[4] = {0xA7, 1};
    uuid(sender, id);
    if (place == 0) uuid(sender, car->session);
    struct message m;
    unsigned char *end = m.start = m.bytes + sizeof m.bytes;
    number(&m, 5, place * 19);
    number(&m, 4, 7000000);
    number(&m, 3, 1);
    number(&m, 2, 55);
    unsigned char *session = m.start;
    bytes(&m, 4, car->venue, 16);
    number(&m, 3, 1);
    number(&m, 2, place == 0 ? 1 : place == 99 ? 3 : 2);
    bytes(&m, 1, car->session, 16);
    enclose(&m, 1, session);
    enclose(&m, 10, end);
    unsigned char *device = m.start;
    number(&m, 3, 1);
    bytes(&m, 2, "Car", 3);
    bytes(&m, 1, "car-01", 6);
    enclose(&m, 4, device);
    bytes(&m, 3, car->venue, 16);
    number(&m, 2, car->start + car->step * 10);
    bytes(&m, 1, id, 16);
    enclose(&m, 1, end);
    unsigned char *body = m.start;
    bytes(&m, 3, method, sizeof method - 1);
    number(&m, 2, ++car->step);
    number(&m, 1, 1);
    head[2] = (unsigned char)((body - m.start) >> 8);
    head[3] = (unsigned char)(body - m.start);
    put(&m, head, 4);
    if (zmq_send(car->socket, m.start, end - m.start, 0) < 0) die("send", zmq_strerror(errno));
}

// A reply that is OK has no status (field 10) in its header, and its body says that one event was accepted (field 1).
static void check(const unsigned char *frame, int count) {
    int header = count < 4 ? 0 : frame[2] << 8 | frame[3];
    static const unsigned char accepted[] = {1 << 3, 1};
    if (count < 4 + header + 2 || memcmp(frame + 4 + header, accepted, 2) != 0) die("gridtide", "an event was refused");
}

uint64_t gridtide(struct sender *sender, int cars) {
    void *context = zmq_ctx_new();
    zmq_pollitem_t *items = calloc(cars, sizeof *items);
    struct car *all = calloc(cars, sizeof *all);
    struct timespec today;
    clock_gettime(CLOCK_REALTIME, &today);
    for (int i = 0; i < cars; i++) {
        all[i].socket = zmq_socket(context, ZMQ_DEALER);
        all[i].start = (uint64_t)today.tv_sec * 1000 - 86400000;
        uuid(sender, all[i].venue);
        items[i] = (zmq_pollitem_t){.socket = all[i].socket, .events = ZMQ_POLLIN};
        if (zmq_connect(all[i].socket, target) != 0) die("gridtide", zmq_strerror(errno));
        submit(sender, &all[i]);
    }
    unsigned char reply[512];
    uint64_t events = 0;
    while (now() < deadline) {
        if (zmq_poll(items, cars, 1000) < 0) die("poll", zmq_strerror(errno));
        for (int i = 0; i < cars; i++) {
            if (!(items[i].revents & ZMQ_POLLIN)) continue;
            check(reply, zmq_recv(all[i].socket, reply, sizeof reply, 0));
            events++;
            submit(sender, &all[i]);
        }
    }
    return events;
}
