import EnergyTransport
import Foundation
import Testing

@testable import EnergyKit

/// The table in EnergyKitError+Mapping.swift, line by line.
struct ErrorMappingTests {
    /// venues, guidance, submission, insights.
    private static let table: [([StatusCode], [EnergyKitError])] = [
        (
            [.invalidArgument, .failedPrecondition, .unimplemented],
            [.venueUnavailable, .guidanceUnavailable, .invalidLoadEvent, .venueUnavailable]
        ),
        ([.notFound], [.venueUnavailable, .venueUnavailable, .invalidLoadEvent, .venueUnavailable]),
        (
            [.aborted, .alreadyExists],
            [.serviceUnavailable, .guidanceUnavailable, .invalidLoadEvent, .inProgress]
        ),
        (
            [.permissionDenied, .unauthenticated],
            [.permissionDenied, .permissionDenied, .permissionDenied, .permissionDenied]
        ),
        (
            [.resourceExhausted],
            [.rateLimitExceeded, .rateLimitExceeded, .rateLimitExceeded, .rateLimitExceeded]
        ),
        ([.outOfRange], [.venueUnavailable, .unsupportedRegion, .invalidLoadEvent, .serviceUnavailable]),
        (
            [.unavailable, .deadlineExceeded, .cancelled, .unknown, .internalError, .dataLoss],
            [.serviceUnavailable, .guidanceUnavailable, .serviceUnavailable, .serviceUnavailable]
        ),
    ]

    @Test func `every status code is the documented error, whatever was asked`() {
        var seen: Set<StatusCode> = [.ok]
        for (codes, errors) in Self.table {
            for code in codes {
                seen.insert(code)
                for (operation, error) in zip(EnergyOperation.allCases, errors) {
                    #expect(
                        EnergyKitError(CallFailure(code, "no"), during: operation) == error, "\(code) \(operation)")
                }
            }
        }
        #expect(seen == Set(StatusCode.allCases))
    }

    @Test func `every error that travels has a status code, which leads back to it`() throws {
        for operation in EnergyOperation.allCases {
            let column = try #require(EnergyOperation.allCases.firstIndex(of: operation))
            for error in Set(Self.table.map { $0.1[column] }) {
                let code = try #require(error.status(during: operation), "\(error) \(operation)")
                #expect(EnergyKitError(CallFailure(code, "no"), during: operation) == error)
            }
        }
        let all: Set<EnergyKitError> = [
            .guidanceUnavailable, .inProgress, .invalidLoadEvent, .locationServicesDenied, .permissionDenied,
            .rateLimitExceeded, .serviceUnavailable, .unsupportedRegion, .venueUnavailable,
        ]
        let travelling = all.filter { error in EnergyOperation.allCases.contains { error.status(during: $0) != nil } }
        #expect(all.subtracting(travelling) == [.locationServicesDenied])

        for error in all {
            let texts = [error.errorDescription, error.failureReason, error.recoverySuggestion, error.helpAnchor]
            #expect(Set(texts).count == 4)
            #expect(texts.allSatisfy { ($0?.count ?? 0) > 20 && $0?.last == "." })
            #expect(error.localizedDescription == error.errorDescription)
        }
        #expect(Set(all.map(\.errorDescription)).count == 9)
    }
}
