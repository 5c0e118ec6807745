// The yardstick of bench-rpc and bench-ingest: an echo over libzmq's ROUTER and DEALER, as a C programmer would write it.
//
//   echo-in-c server [ENDPOINT]                             prints where it listens, answers until standard input ends
//   echo-in-c client ENDPOINT BYTES IN_FLIGHT CALLS         prints the seconds that CALLS took
//   echo-in-c clients ENDPOINT BYTES SOCKETS SECONDS        prints the calls per second of SOCKETS, each with one in flight

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

static void die(const char *what) {
    fprintf(stderr, "echo-in-c: %s: %s\n", what, zmq_strerror(errno));
    exit(1);
}

// Whoever started this process holds the other end.
static void *end_with_standard_input(void *unused) {
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    _exit(0);
    return unused;
}

static int serve(void *context, const char *address) {
    void *router = zmq_socket(context, ZMQ_ROUTER);
    if (zmq_bind(router, address) != 0) die("bind");
    char endpoint[256];
    size_t size = sizeof endpoint;
    if (zmq_getsockopt(router, ZMQ_LAST_ENDPOINT, endpoint, &size) != 0) die("endpoint");
    printf("%s\n", endpoint);
    fflush(stdout);
    zmq_msg_t identity, body;
    for (;;) {
        zmq_msg_init(&identity);
        zmq_msg_init(&body);
        if (zmq_msg_recv(&identity, router, 0) < 0 || zmq_msg_recv(&body, router, 0) < 0) die("recv");
        if (zmq_msg_send(&identity, router, ZMQ_SNDMORE) < 0 || zmq_msg_send(&body, router, 0) < 0) die("send");
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void exchange(void *dealer, const char *payload, size_t bytes, long in_flight, long calls) {
    long sent = 0, received = 0;
    zmq_msg_t reply;
    while (received < calls) {
        while (sent < calls && sent - received < in_flight) {
            if (zmq_send(dealer, payload, bytes, 0) < 0) die("send");
            sent++;
        }
        zmq_msg_init(&reply);
        if (zmq_msg_recv(&reply, dealer, 0) < 0) die("recv");
        if (zmq_msg_size(&reply) != bytes) die("size");
        zmq_msg_close(&reply);
        received++;
    }
}

static int call(void *context, const char *endpoint, size_t bytes, long in_flight, long calls) {
    void *dealer = zmq_socket(context, ZMQ_DEALER);
    if (zmq_connect(dealer, endpoint) != 0) die("connect");
    char *payload = calloc(1, bytes);
    exchange(dealer, payload, bytes, in_flight, calls / 10 + 1);
    double start = now();
    exchange(dealer, payload, bytes, in_flight, calls);
    printf("%.9f\n", now() - start);
    free(payload);
    zmq_close(dealer);
    zmq_ctx_term(context);
    return 0;
}

static int call_from_many(void *context, const char *endpoint, size_t bytes, int sockets, double seconds) {
    zmq_pollitem_t *items = calloc(sockets, sizeof *items);
    char *payload = calloc(1, bytes);
    for (int i = 0; i < sockets; i++) {
        items[i] = (zmq_pollitem_t){.socket = zmq_socket(context, ZMQ_DEALER), .events = ZMQ_POLLIN};
        if (zmq_connect(items[i].socket, endpoint) != 0) die("connect");
        if (zmq_send(items[i].socket, payload, bytes, 0) < 0) die("send");
    }
    long calls = 0;
    double start = now();
    while (now() - start < seconds) {
        if (zmq_poll(items, sockets, -1) < 0) die("poll");
        for (int i = 0; i < sockets; i++) {
            if (!(items[i].revents & ZMQ_POLLIN)) continue;
            if (zmq_recv(items[i].socket, payload, bytes, 0) < 0 || zmq_send(items[i].socket, payload, bytes, 0) < 0)
                die("exchange");
            calls++;
        }
    }
    printf("%.1f\n", calls / (now() - start));
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv) {
    void *context = zmq_ctx_new();
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, end_with_standard_input, NULL) != 0) die("thread");
    if ((argc == 2 || argc == 3) && strcmp(argv[1], "server") == 0)
        return serve(context, argc == 3 ? argv[2] : "tcp://127.0.0.1:*");
    if (argc == 6 && strcmp(argv[1], "client") == 0)
        return call(context, argv[2], (size_t)atol(argv[3]), atol(argv[4]), atol(argv[5]));
    if (argc == 6 && strcmp(argv[1], "clients") == 0)
        return call_from_many(context, argv[2], (size_t)atol(argv[3]), atoi(argv[4]), atof(argv[5]));
    fprintf(stderr, "usage: echo-in-c server [ENDPOINT] | echo-in-c client ENDPOINT BYTES IN_FLIGHT CALLS\n"
                    "     | echo-in-c clients ENDPOINT BYTES SOCKETS SECONDS\n");
    return 64;
}
