import { useQueryClient } from '@tanstack/react-query'
import { centsToText, textToCents } from '../../../../shared/money.ts'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { defaultMinutesByType } from '../../../appointments/rules.ts'
import { availabilityMessages, depositProblems } from '../../contract.ts'
import type { VisitTypeData } from '../embed/useAvailability.ts'

export type VisitTypeForm = ReturnType<typeof useVisitTypeForm>
type Values = ReturnType<typeof valuesOf>

/** Fields with a whole number, as typed. */
export const numberFields = [
  'minutes',
  'bufferBefore',
  'bufferAfter',
  'maxPerDay',
  'noticeHours',
  'horizonDays',
  'changeHours',
  'depositPercent',
  'seriesVisits',
  'seriesWeeks',
] as const
const amountFields = ['depositCents', 'priceCents', 'lateFeeCents', 'noShowFeeCents'] as const

/** The values of a visit type as they are typed, from the one that is edited. */
const valuesOf = (before: VisitTypeData | null) => ({
  name: before?.name ?? '',
  nameFr: before?.nameFr ?? '',
  description: before?.description ?? '',
  descriptionFr: before?.descriptionFr ?? '',
  type: before?.type ?? 'consult',
  minutes: String(before?.minutes ?? defaultMinutesByType.consult),
  bufferBefore: String(before?.bufferBefore ?? 0),
  bufferAfter: String(before?.bufferAfter ?? 0),
  noticeHours: String(before?.noticeHours ?? 24),
  horizonDays: String(before?.horizonDays ?? 90),
  changeHours: String(before?.changeHours ?? 24),
  depositKind: before?.depositKind ?? 'none',
  depositCents: centsToText(before?.depositCents ?? null),
  depositPercent: before?.depositPercent?.toString() ?? '',
  priceCents: centsToText(before?.priceCents ?? null),
  isDepositFirstOnly: before?.isDepositFirstOnly ?? false,
  lateFeeCents: feeToText(before?.lateFeeCents),
  noShowFeeCents: feeToText(before?.noShowFeeCents),
  isSeries: before ? before.seriesVisits !== null : false,
  seriesVisits: before?.seriesVisits?.toString() ?? '4',
  seriesWeeks: before?.seriesWeeks?.toString() ?? '4',
  maxPerDay: before?.maxPerDay?.toString() ?? '',
  patients: before?.patients ?? 'all',
  isOnline: before?.isOnline ?? false,
  isActive: before?.isActive ?? true,
  providerIds: before?.providerIds ?? [],
  secondIds: before?.secondIds ?? [],
  roomIds: before?.roomIds ?? [],
  equipmentIds: before?.equipmentIds ?? [],
  formIds: before?.formIds ?? [],
})

const feeToText = (cents: number | undefined): string => (cents ? centsToText(cents) : '')

const toNumber = (typed: string): number => (/^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN)
const toNumberOrNull = (typed: string): number | null => (typed.trim() === '' ? null : toNumber(typed))

/** The typed deposit, as it is sent: only what its kind needs. */
function depositOf({ depositKind, depositCents, depositPercent, priceCents, lateFeeCents, noShowFeeCents }: Values) {
  const feeOf = (text: string) => (depositKind === 'none' ? 0 : (textToCents(text) ?? 0))
  return {
    depositKind,
    depositCents: depositKind === 'amount' ? (textToCents(depositCents) ?? null) : null,
    depositPercent: depositKind === 'percent' ? toNumberOrNull(depositPercent) : null,
    priceCents: textToCents(priceCents) ?? null,
    lateFeeCents: feeOf(lateFeeCents),
    noShowFeeCents: feeOf(noShowFeeCents),
  }
}

/** Whether a number may be left out. Those of a deposit and a series have messages of their own, or are not sent. */
const isOptional = (name: (typeof numberFields)[number], { isSeries }: Values): boolean =>
  name === 'maxPerDay' || name === 'depositPercent' || (!isSeries && (name === 'seriesVisits' || name === 'seriesWeeks'))

function problemsOf(typed: Values) {
  const wrongNumbers = numberFields.filter((name) =>
    Number.isNaN(isOptional(name, typed) ? toNumberOrNull(typed[name]) : toNumber(typed[name])),
  )
  const wrongAmounts = amountFields.filter((name) => textToCents(typed[name]) === undefined)
  return {
    name: typed.name.trim() === '' ? availabilityMessages.name : undefined,
    providerIds: typed.providerIds.length === 0 ? availabilityMessages.provider : undefined,
    ...depositProblems(depositOf(typed)),
    ...Object.fromEntries(wrongNumbers.map((name) => [name, 'Enter a whole number'])),
    ...Object.fromEntries(wrongAmounts.map((name) => [name, 'Enter an amount in dollars'])),
  }
}

/** The form of a visit type. @param before the one that is edited, as opened: a change by someone else is detected by its version; null to add one. */
export function useVisitTypeForm(before: VisitTypeData | null, onSaved: () => void) {
  const cache = useQueryClient()
  return useActionForm({
    initial: () => valuesOf(before),
    check: problemsOf,
    refusals: { NAME_TAKEN: 'name' },
    send({ isActive, isSeries, ...typed }) {
      const fields = {
        ...typed,
        minutes: toNumber(typed.minutes),
        bufferBefore: toNumber(typed.bufferBefore),
        bufferAfter: toNumber(typed.bufferAfter),
        noticeHours: toNumber(typed.noticeHours),
        horizonDays: toNumber(typed.horizonDays),
        changeHours: toNumber(typed.changeHours),
        seriesVisits: isSeries ? toNumber(typed.seriesVisits) : null,
        seriesWeeks: isSeries ? toNumber(typed.seriesWeeks) : null,
        maxPerDay: toNumberOrNull(typed.maxPerDay),
        ...depositOf({ isActive, isSeries, ...typed }),
      }
      return before
        ? client.availability.changeVisitType({ ...fields, id: before.id, version: before.version, isActive })
        : client.availability.addVisitType(fields)
    },
    done: (saved) => `${saved.name} was ${before ? 'saved' : 'added'}`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.availability.key() })
      onSaved()
    },
  })
}
