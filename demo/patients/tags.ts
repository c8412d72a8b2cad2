import { type Clock, day, minute } from '../clock.ts'
import type { Journey } from './journey.ts'
import type { Procedure } from '../procedures.ts'
import type { Random } from '../random.ts'
import type { Source } from '../sources.ts'
import type { StaffKey } from '../staff.ts'

/** The migrations insert 'Welcome' (spec 7: contacts with the tag named Welcome). */
export const tagNames = [
  'Welcome',
  'Revision',
  'Prefers French',
  'VIP',
  'Financing',
  'Out of town',
  'Cancellation list',
  'Evenings only',
] as const
export type TagName = (typeof tagNames)[number]

type Subject = {
  prefersFrench: boolean
  isFromAfar: boolean
  source: Source
  createdAt: number
  owner: StaffKey
  procedure: Procedure
  journey: Journey
}

/** The tags of a patient, with who added them and when. The system tags new leads from a form with Welcome. */
export function pickTags(subject: Subject, clock: Clock, random: Random) {
  const { createdAt, owner, procedure, journey, source } = subject
  const last = journey.moves.at(-1)!
  const tags: { name: TagName; at: number; by: StaffKey | null }[] = []
  const add = (name: TagName, at: number, by: StaffKey | null = owner) => {
    if (at <= clock.now) tags.push({ name, at, by })
  }
  const afterFirstTalk = clock.openTime((journey.moves[1]?.at ?? createdAt + day) + 4 * minute, random)

  if (source.form && random.chance(0.12)) add('Welcome', createdAt + random.int(2, 9) * 1000, null)
  if (procedure.name.startsWith('Revision') || procedure.name === 'Implant exchange' || random.chance(0.01)) add('Revision', afterFirstTalk)
  if (subject.prefersFrench) add('Prefers French', afterFirstTalk + minute)
  if (subject.isFromAfar && random.chance(0.8)) add('Out of town', afterFirstTalk + minute)
  if (random.chance(0.015)) add('VIP', afterFirstTalk + 2 * minute)
  if (random.chance(0.02)) add('Evenings only', afterFirstTalk)
  if (journey.quoteCents && random.chance(0.14)) add('Financing', last.at + 3 * minute)
  if (journey.consult && random.chance(0.04)) add('Cancellation list', last.at + 2 * minute)
  return tags
}
