"""The opinion of another protobuf implementation: Google's for Python.

Usage: protobuf_oracle.py <descriptor set>. Reads one request a line and answers each with one line:

    parse <message> <hex of a text-format message>    the message's bytes, in hex
    print <message> <hex of bytes>                    the message in text format, in hex
    echo <message> <hex of bytes>                     the bytes, decoded and encoded again, in hex

An answer that begins with "error" says what Python found wrong.
"""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format, unknown_fields


def main():
    descriptor_set = descriptor_pb2.FileDescriptorSet()
    with open(sys.argv[1], "rb") as file:
        descriptor_set.ParseFromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_set.file:
        pool.Add(file)
    for line in sys.stdin:
        verb, name, argument = (line.rstrip("\n").split(" ") + [""])[:3]
        try:
            message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
            print(answer(verb, message, bytes.fromhex(argument)).hex(), flush=True)
        except Exception as error:  # whatever it is, the test shall show it
            print(f"error {type(error).__name__}: {error}".replace("\n", " "), flush=True)


def answer(verb, message, argument):
    if verb == "parse":
        text_format.Parse(argument.decode(), message)
        return message.SerializeToString(deterministic=True)
    message.ParseFromString(argument)
    unknown = [field.field_number for field in unknown_fields.UnknownFieldSet(message)]
    if unknown:
        raise ValueError(f"unknown fields {unknown}")
    if verb == "print":
        return text_format.MessageToString(message).encode()
    return message.SerializeToString(deterministic=True)


main()
