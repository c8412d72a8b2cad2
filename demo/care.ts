import { specialistResults, specialists, weightLossDrugs } from './findings.ts'
import { type Clock, isoDay } from './clock.ts'
import type { Journey } from './journey.ts'
import type { Procedure } from './procedures.ts'
import type { Random } from './random.ts'

/** The drug that the anaesthetist must know of, of some who ask for surgery of the body or the face. */
export function weightLossDrug({ concern }: Procedure, random: Random): string | null {
  const often = concern === 'tummy' || concern === 'fat' || concern === 'loose skin'
  return random.chance(often ? 0.16 : concern === 'face' ? 0.06 : 0.02) ? random.pick(weightLossDrugs) : null
}

const none = {
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
  notes: null,
}

/** Some of those who were seen must see a specialist first. Dated lines in the notes say so (spec 4). */
export function specialistFields({ concern }: Procedure, { moves, consult }: Journey, clock: Clock, random: Random) {
  const booked = moves.find(({ to }) => to === 'consult_booked')
  if (!booked || !consult || !random.chance(0.09)) return none
  const required = clock.dayOf(booked.at)
  const today = clock.dayOf(clock.now)
  const [type, reason] = random.pick(specialists[concern] ?? specialists.any)
  const received = Math.max(required + random.int(9, 50), required + 1)
  const note = `${isoDay(required)}: Specialist consult required: ${type}. ${reason}.`
  const fields = { ...none, requiresSpecialistConsult: true, specialistConsultType: type, specialistConsultReason: reason, notes: note }
  if (received > today || random.chance(0.25)) return fields
  const result = `${isoDay(received)}: Specialist results received.`
  return {
    ...fields,
    specialistResultsReceived: true,
    specialistResultsDate: isoDay(received),
    specialistNotes: `${result} ${random.pick(specialistResults)}`,
    notes: `${note}\n${result}`,
  }
}
