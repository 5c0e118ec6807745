#include "CResolver.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

_Static_assert(CRESOLVER_NAME_MAX == NS_MAXDNAME, "a name must fit");
_Static_assert(CRESOLVER_A == ns_t_a && CRESOLVER_PTR == ns_t_ptr && CRESOLVER_AAAA == ns_t_aaaa && CRESOLVER_SRV == ns_t_srv,
               "types are those of RFC 1035, 3596 and 2782");

int cresolver_ask(const char *name, int type, const char *server, uint16_t port, uint8_t *answer, int size) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    if (server != NULL) {
        struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
        if (inet_pton(AF_INET, server, &place.sin_addr) != 1) {
            res_nclose(&state);
            return -1;
        }
        state.nscount = 1;
        state.nsaddr_list[0] = place;
    }
    state.retrans = 2;
    state.retry = 2;
    int length = res_nquery(&state, name, ns_c_in, type, answer, size);
    res_nclose(&state);
    return length > size ? size : length;
}

int cresolver_question(const char *name, int type, uint8_t *message, int size) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    int length = res_nmkquery(&state, ns_o_query, name, ns_c_in, type, NULL, 0, NULL, message, size);
    res_nclose(&state);
    return length;
}

int cresolver_read(const uint8_t *message, int size, struct cresolver_record *records, int most) {
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
