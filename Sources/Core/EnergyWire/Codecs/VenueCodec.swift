internal import EnergyModel
internal import EnergyProto
internal import Foundation

extension Venue: ProtoMessage {
    func write(to proto: inout Energy__V1__Venue, _ arena: inout Arena) {
        let draft = VenueDraft(
            id: id, name: name, timeZone: timeZone, region: region, ratePlanID: ratePlanID, homeIDs: homeIDs,
            priceWeight: priceWeight)
        VenueDraft.Fields(draft: draft).write(to: &proto, &arena)
        proto.changed_unix_ms = changed.unixMilliseconds
        proto.removed_unix_ms = removed?.unixMilliseconds ?? 0
    }

    init(reading proto: Energy__V1__Venue) throws(FieldError) {
        let draft = try VenueDraft.Fields(reading: proto).draft
        self.init(
            id: try proto.id.uuid("id"),
            name: draft.name,
            timeZone: draft.timeZone,
            region: draft.region,
            ratePlanID: draft.ratePlanID,
            homeIDs: draft.homeIDs,
            priceWeight: draft.priceWeight,
            changed: try proto.changed_unix_ms.timestamp("changed_unix_ms"),
            removed: proto.removed_unix_ms == 0 ? nil : try proto.removed_unix_ms.timestamp("removed_unix_ms"))
    }
}

extension VenueDraft: ProtoMessage {
    func write(to proto: inout Energy__V1__PutVenueRequest, _ arena: inout Arena) {
        proto.venue = arena.message(Fields(draft: self))
    }

    init(reading proto: Energy__V1__PutVenueRequest) throws(FieldError) {
        let fields: Fields = try proto.venue.required("venue")
        self = fields.draft
    }

    /// What a venue is without its service's part.
    struct Fields: ProtoCoded {
        let draft: VenueDraft

        func write(to proto: inout Energy__V1__Venue, _ arena: inout Arena) {
            proto.id = arena.uuid(draft.id)
            proto.name = arena.string(draft.name)
            proto.time_zone = arena.string(draft.timeZone.identifier)
            proto.region = arena.string(draft.region)
            proto.rate_plan_id = arena.string(draft.ratePlanID ?? "")
            (proto.n_home_ids, proto.home_ids) = arena.uuids(draft.homeIDs)
            if let weight = draft.priceWeight {
                proto._price_weight_case = ENERGY__V1__VENUE___PRICE_WEIGHT_PRICE_WEIGHT
                proto.price_weight = weight
            }
        }
    }
}

extension VenueDraft.Fields {
    init(reading proto: Energy__V1__Venue) throws(FieldError) {
        draft = VenueDraft(
            id: try proto.id.uuidIfPresent("id"),
            name: try proto.name.string("name"),
            timeZone: try proto.time_zone.timeZone("time_zone"),
            region: try proto.region.string("region"),
            ratePlanID: try proto.rate_plan_id.stringIfPresent("rate_plan_id"),
            homeIDs: try proto.home_ids.list("home_ids", count: proto.n_home_ids, max: 16) { (id) throws(FieldError) in
                try id.uuid("")
            },
            priceWeight: proto._price_weight_case.rawValue == 0 ? nil : try proto.price_weight.finite("price_weight"))
    }
}

extension VenueRemoval: ProtoMessage {
    func write(to proto: inout Energy__V1__RemoveVenueRequest, _ arena: inout Arena) { proto.id = arena.uuid(id) }

    init(reading proto: Energy__V1__RemoveVenueRequest) throws(FieldError) { self.init(id: try proto.id.uuid("id")) }
}

extension VenueList: ProtoMessage {
    func write(to proto: inout Energy__V1__ListVenuesReply, _ arena: inout Arena) {
        (proto.n_venues, proto.venues) = arena.messages(venues)
    }

    init(reading proto: Energy__V1__ListVenuesReply) throws(FieldError) {
        self.init(venues: try proto.venues.messages("venues", count: proto.n_venues, max: 10_000))
    }
}

extension VenueReference: ProtoMessage {
    func write(to proto: inout Energy__V1__GetVenueRequest, _ arena: inout Arena) {
        switch self {
        case .id(let id): proto.id = arena.uuid(id)
        case .homeID(let id): proto.home_id = arena.uuid(id)
        }
    }

    init(reading proto: Energy__V1__GetVenueRequest) throws(FieldError) {
        switch (try proto.id.uuidIfPresent("id"), try proto.home_id.uuidIfPresent("home_id")) {
        case (let id?, nil): self = .id(id)
        case (nil, let id?): self = .homeID(id)
        case (nil, nil): throw FieldError("id", "or home_id must be present", value: "absent, and so is the other")
        case (_?, _?): throw FieldError("id", "must be absent with home_id", value: "present, and so is the other")
        }
    }
}
