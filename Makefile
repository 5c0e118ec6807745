# Everything that a person or CI calls. `make help` lists it.

PROTOS := $(filter-out proto/energy/v1/services.proto,$(wildcard proto/energy/v1/*.proto))
PROTO_OUT := Sources/C/EnergyProto

.PHONY: proto
proto: ## Write the C code and the descriptor set from proto/
	rm -rf $(PROTO_OUT)/energy $(PROTO_OUT)/EnergyProto.h
	mkdir -p $(PROTO_OUT)
	protoc-c --proto_path=proto --c_out=$(PROTO_OUT) $(PROTOS)
	printf '%s\n' '// Written by `make proto`.' > $(PROTO_OUT)/EnergyProto.h
	for f in $(PROTOS:proto/%.proto=%); do echo "#include \"$$f.pb-c.h\"" >> $(PROTO_OUT)/EnergyProto.h; done
	protoc --proto_path=proto --include_imports \
		--descriptor_set_out=Sources/Core/EnergyWire/energy.v1.descriptorset proto/energy/v1/*.proto
