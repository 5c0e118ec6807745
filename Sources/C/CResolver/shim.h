// What the resolver has as macros, or in structures that Swift does not see.
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdint.h>
#include <string.h>

struct cresolver_record {
    // ns_t_srv, ns_t_ptr, ns_t_a or ns_t_aaaa
    int type;
    uint16_t priority, port;
    char name[NS_MAXDNAME];
    // Of SRV and PTR.
    char target[NS_MAXDNAME];
    // Of A and AAAA: 4 or 16 bytes.
    uint8_t address[16];
};

// Asks the system's name servers, or one at an address if `server` is not NULL. The length of the answer, or -1.
static inline int cresolver_ask(const char *name, int type, const struct sockaddr_in *server, uint8_t *answer, int size) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    if (server != NULL) {
        state.nscount = 1;
        state.nsaddr_list[0] = *server;
    }
    state.retrans = 2;
    state.retry = 2;
    int length = res_nquery(&state, name, ns_c_in, type, answer, size);
    res_nclose(&state);
    return length > size ? size : length;
}

// A question as a message. Its length, or -1.
static inline int cresolver_question(const char *name, int type, uint8_t *message, int size) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    int length = res_nmkquery(&state, ns_o_query, name, ns_c_in, type, NULL, 0, NULL, message, size);
    res_nclose(&state);
    return length;
}

// The records of a message that are of a known type, of its answers and what was added to them. Their number; -1 for what is no message.
static inline int cresolver_read(const uint8_t *message, int size, struct cresolver_record *records, int most) {
    ns_msg parsed;
    if (ns_initparse(message, size, &parsed) != 0) return -1;
    int count = 0;
    const ns_sect sections[] = {ns_s_an, ns_s_ar};
    for (int section = 0; section < 2; section++) {
        for (int index = 0; index < ns_msg_count(parsed, sections[section]) && count < most; index++) {
            ns_rr record;
            if (ns_parserr(&parsed, sections[section], index, &record) != 0) return count;
            struct cresolver_record *out = &records[count];
            memset(out, 0, sizeof *out);
            out->type = ns_rr_type(record);
            strncpy(out->name, ns_rr_name(record), sizeof out->name - 1);
            const uint8_t *data = ns_rr_rdata(record);
            int length = ns_rr_rdlen(record), skipped = out->type == ns_t_srv ? 6 : 0;
            switch (out->type) {
            case ns_t_srv:
            case ns_t_ptr:
                if (length <= skipped) continue;
                if (skipped) {
                    out->priority = ns_get16(data);
                    out->port = ns_get16(data + 4);
                }
                if (ns_name_uncompress(ns_msg_base(parsed), ns_msg_end(parsed), data + skipped, out->target,
                                       sizeof out->target) < 0) continue;
                break;
            case ns_t_a:
            case ns_t_aaaa:
                if (length != (out->type == ns_t_a ? 4 : 16)) continue;
                memcpy(out->address, data, (size_t)length);
                break;
            default:
                continue;
            }
            count++;
        }
    }
    return count;
}
