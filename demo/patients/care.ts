import { specialistResults, specialists, weightLossMedications } from './findings.ts'
import { type Clock, isoDay } from '../clock.ts'
import type { Journey } from './journey.ts'
import type { Procedure } from '../procedures.ts'
import type { Random } from '../random.ts'

/** A weight-loss medication for some patients; the anaesthetist must know about it. */
export function weightLossDrug({ concern }: Procedure, random: Random): string | null {
  const isCommon = concern === 'tummy' || concern === 'fat' || concern === 'loose skin'
  return random.chance(isCommon ? 0.16 : concern === 'face' ? 0.06 : 0.02) ? random.pick(weightLossMedications) : null
}

const noConsult = {
  requiresSpecialistConsult: false,
  specialistConsultType: null,
  specialistConsultReason: null,
  specialistResultsReceived: false,
  specialistResultsDate: null,
  specialistNotes: null,
  notes: null,
}

/** Specialist fields of a patient: some who had a consult must see a specialist first. The notes carry dated lines (spec 4). */
export function specialistFields({ concern }: Procedure, { moves, consult }: Journey, clock: Clock, random: Random) {
  const booked = moves.find(({ to }) => to === 'consult_booked')
  if (!booked || !consult || !random.chance(0.09)) return noConsult
  const required = clock.dayOf(booked.at)
  const today = clock.dayOf(clock.now)
  const [type, reason] = random.pick(specialists[concern] ?? specialists.any)
  const received = Math.max(required + random.int(9, 50), required + 1)
  const note = `${isoDay(required)}: Specialist consult required: ${type}. ${reason}.`
  const fields = {
    ...noConsult,
    requiresSpecialistConsult: true,
    specialistConsultType: type,
    specialistConsultReason: reason,
    notes: note,
  }
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
