import { expect, it } from 'vitest'
import { zoneOfNumber, zoneOfPostalCode, zoneOfRegion } from './area-zones.ts'

it.each([
  ['ON', 'America/Toronto'],
  ['québec', 'America/Toronto'],
  ['  Nouvelle-Ecosse ', 'America/Halifax'],
  ['B.C.', null],
  ['Prince Edward Island', 'America/Halifax'],
  ['West Virginia', 'America/New_York'],
  ['Massachusetts', 'America/New_York'],
  ['Bavaria', null],
  ['', null],
])('knows that the region “%s” has the zone %s (issue 28)', (region, zone) => expect(zoneOfRegion(region)).toBe(zone))

it.each([
  ['A1C 5M2', 'America/St_Johns'],
  ['v6b1a1', 'America/Vancouver'],
  ['S4P 3Y2', 'America/Regina'],
  ['90210', null],
  ['D1A 1A1', null],
])('knows that the postal code %s has the zone %s (issue 28)', (code, zone) => expect(zoneOfPostalCode(code)).toBe(zone))

it.each([
  ['+14165550142', 'America/Toronto'],
  ['+17095550142', 'America/St_Johns'],
  ['+13065550142', 'America/Regina'],
  ['+12125550142', 'America/New_York'],
  ['+18085550142', 'Pacific/Honolulu'],
  ['+18005550142', null],
  ['+33142685300', null],
  ['4165550142', null],
])('knows that the number %s has the zone %s (issue 28)', (number, zone) => expect(zoneOfNumber(number)).toBe(zone))
