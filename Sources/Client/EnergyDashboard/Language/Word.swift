/// What the pages say, by the place where it is said. Each language has a text for each; `%1`, `%2` stand for what is
/// filled in.
enum Word: String, CaseIterable, Sendable {
    // Frame
    case appName, skipToContent, navigation, pageNow, pageHistory, pageActivity, pagePlan, pageGrid, venue
    case show, language
    case serviceAway, serviceTrouble, asOf, connectionLost, notFound, notFoundText, troubleTitle, titleWrong,
        backToNow, typedKept, sendAgain
    // Guidance
    case good, fair, avoid, unknown, ratingNow, goodUntil, nextGood, nextGoodNone, nextChange, forecast, forecastLabel
    case chartKeys, tableOf, time, rating, ratingHint, price, carbon, carbonUnit, perKilowattHour, now, noGuidance
    case cleanest, dearest, cheapest, basis, basisFlat, basisEvent
    // Devices
    case devices, noDevices, charging, running, waiting, idle, away, done, paused, stopped, unplugged, planNone
    case startsAt, endsAt, lessFrom, lessUntil, readyBy, percentFull, energyOf, missingEnergy, sinceTime, vehicle,
        heating, battery, appliance
    // History
    case rangeDay, rangeWeek, rangeMonth, rangeYear, rangeYears, earlier, later, today, range, stackedBy, cleanliness
    case tariff, wholeHome, device, measure, energy, runTime, cost, cleaner, lessClean, dirty, superOffPeak, offPeak
    case partialPeak, onPeak, criticalPeak, changeMore, changeLess, changeSame, before, noHistory, download, total
    case saved, savedMore, savedNothing, arithmetic, arithmeticHint, arithmeticLine, arithmeticSum, notCompared,
        partlyKnown,
        followedGuidance
    case period, periodBefore, averageOf, hours, noRunTime, carbonDirect, carbonLifecycle, carbonMarginal
    // Activity
    case kind, kindAll, kindSession, kindPlug, kindCharging, kindWaiting, allDevices, noActivity, older, apply
    // Grid
    case sources, sourceName, sourceUse, sourceInUse, sourceNewest, sourceHeard, sourceNext, sourceTrouble, sourceClock
    case sourceUsual, sourceNone, past, pastLabel, pastExpected, pastCame, pastNone, pastSame, pastError, skill,
        skillUnknown
    case ratePlan, ratePlanNone, ratePlanWorkdays, ratePlanWeekend, ratePlanEveryDay, ratePlanHint, ratePlanMixed
    case ratePlanSource, ratePlanSurcharge, ratePlanOnlySource, ratePlanTiers, dailyPrices, dailyPricesHint,
        monthlyPrices, monthlyPricesHint, month,
        ago
    // Plan
    case planLabel, planPower, planFuse, planHeadroom, planHeadroomOfPhase, planOverdrawn,
        planOverdrawnOfPhase, planNoFuse, planBase, goals, goalNone,
        goalBy, goalWeekly,
        goalEnergy
    case goalCharge, goalReduce, goalRun, chargeNow, pause, resume, addGoal, changeGoal, removeGoal, removeOneGoal, why,
        whyInWords, weekdays
    case planLowBar, planForecast, planReduced, planStarts, planDone, missingWhy, causePrice, causeCarbon, causeRoom,
        causeAway,
        causeStopped, causeTime
    case overrideNow, overrideNowWaits, overridePaused, overrideStopped, confirmed
    // Form
    case formTitle, formTarget, formTargetCharge, formTargetEnergy, formTargetReduce, formTargetRun, formAmount
    case formAmountHint, formDay, formClock, formRepeat, formRepeatHint, formKeep, formGuaranteed, formGuaranteedHint
    case preview, save, cancel, formWrong, mustBeNumber, mustBeDate, mustBeClock, mustBeAhead, mustBeNear, mustBeTarget
    case mustBeChosen
    case previewPlanned, previewAtOnce, previewCost, previewCarbon, previewReady, previewMissing, previewSaves
    case previewNever, notKnown
    // Settings and first run
    case startNext, startOtherRegion, startCarbon, startCarbonUsual, startPrices, startPricesNone, startUnheard
    case planKindMarket, planMarketName, planSource, planSourceNone, planSurcharge, planSurchargeHint, planTax,
        planTaxHint
    case venueRegionNone, mustBeRegion, sourceAutomatic, settingUnanswered, settingGone, refusedField, planUnreadable,
        removalAsk
    case pageSettings, startTitle, startIntro, startGo, startDone, demoTitle, demoIntro, demoGo, demoDone
    case exampleShown, exampleGo, exampleLeft, exampleRemove
    case settingNeeds, settingDenied, settingRefused, change, venues, venueAdd, venueForm, venueShown, venueName
    case venueRegion, venueRegionHint, venueZone, venueZoneHint, venueWeight, venueWeightHint, venueRemove
    case venueRemoveHint, ratePlans, ratePlanNoneChosen, ratePlanNoneYet, planAdd, planForm, planReplace, planRemove,
        planRemoveHint
    case planReplaceTitle, planInForce, planPrices, planUnused, planUsedBy, planKind, planKindNone, planKindFlat
    case planKindDocument, planKindHours, planHoursName, hoursPrice, hoursPriceHint, hoursPaint
    case hoursLevel, hoursFirst, hoursSecond, hoursFrom, hoursTo, hoursNoSecond, mustBeMonth, planName, planNameHint,
        planFlatName, planPrice, planPriceHint, planCurrency
    case planCurrencyHint, planDocument, planDocumentHint, planFile, planChoice, planChoiceNone, planChoose, planForce,
        planHasErrors, planAssign, deviceAdd
    case deviceRemove, deviceRemoveHint, deviceFormOf, deviceName, deviceKindHint, deviceCapacity,
        devicePower
    case devicePowerMin, devicePowerMinHint, deviceLeast, deviceLeastHint, devicePriceMax, devicePriceMaxHint
    case limits, limitsForm, limitsNone, limitsFuse, limitsFuseHint, limitsPhases, limitsThreePhases, limitsOnePhase
    case limitsImport, limitsImportHint, limitsBaseLoad, limitsBaseLoadHint, limitsFuseOnThree, limitsFuseOnOne
    case limitsAtMost, limitsRunsAnyway, limitsMore
    case deviceDischarge, devicePriority, devicePriorityHint, events, eventNone, eventAdd
    case eventDeclare, eventCancel, eventKind, eventCriticalPeak, eventReduce, eventScope, eventForRegion
    case eventForAll, eventHours, eventReason, eventReasonHint, eventSource, sourceHow, sourceHeardAgo, sourceTest
    case sourceNotAsked, sourceValue, sourceValueNow, sourceSilent, sourceAhead, sourceFixKey, sourceFixPlace
    case sourceFixWait, sourceFixAway, sourceFixAnswer, keys
    case keysHow, keysHere, keysNone, keysInit, keysMake, keysShow, keysRevoke, mustBeThere, mustBeZone, mustBePrice,
        mustBeCurrency
    case mustBeShorter, mustBeOtherName, mustBeLess, mustBeKeyName, mustBePermission
    case keyMake, keyEverything, keySecretHere, keyMade, keyScan, keyCode, keyTooLong, keyOnlyHere, keyFile
    case keyFileText, mustBeNewClient
    case keyPrepare, keySecret, keyName, keyNameHint, keyMay, keyMayGuidance, keyMayEvents, keyMayInsights
    case keyMaySchedules, keyMayControl, keyMayAdmin, keyOnly, keyEverywhere, keyCommands, keyRun, keyMakeQR, keyPicture
}
