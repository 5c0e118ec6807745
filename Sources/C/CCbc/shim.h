#include <coin/Cbc_C_Interface.h>
