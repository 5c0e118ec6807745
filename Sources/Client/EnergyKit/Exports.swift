// Code written for Apple's EnergyKit imports EnergyKit, perhaps Foundation, and nothing else: there, Foundation's names
// and `@Observable` come with these imports. Here they would not: `import EnergyKit` alone would know no `UUID`, and
// neither import would know `@Observable`. So both come with EnergyKit.
@_exported public import Foundation
@_exported public import Observation
