import type { Role } from '../../../../kernel/access/rules.ts'
import { checklistMessages } from '../../checklist-contract.ts'
import { type ItemKind, maxDays } from '../../checklist-rules.ts'

export const whens = ['before', 'day', 'after'] as const
export type When = (typeof whens)[number]

/** A checklist item as typed. */
export interface ItemValues {
  words: string
  kind: ItemKind
  ownerRole: Role
  when: When
  /** Days before or after the surgery. */
  days: string
  isRequired: boolean
}

export const blankItem: ItemValues = { words: '', kind: 'other', ownerRole: 'front_desk', when: 'before', days: '7', isRequired: true }

interface Item {
  words: string
  kind: ItemKind
  ownerRole: Role
  dueDays: number
  isRequired: boolean
}

export const itemValuesOf = ({ words, kind, ownerRole, dueDays, isRequired }: Item): ItemValues => ({
  words,
  kind,
  ownerRole,
  when: dueDays === 0 ? 'day' : dueDays < 0 ? 'before' : 'after',
  days: dueDays === 0 ? '7' : String(Math.abs(dueDays)),
  isRequired,
})

type ItemProblems = Partial<Record<'words' | 'days', string>>

const daysOf = ({ when, days }: ItemValues): number => {
  if (when === 'day') return 0
  const typed = /^\d{1,3}$/.test(days.trim()) ? Number(days) : Number.NaN
  return when === 'before' ? -typed : typed
}

export function itemProblems(values: ItemValues): ItemProblems {
  const days = Math.abs(daysOf(values))
  return {
    ...(values.words.trim() === '' && { words: checklistMessages.words }),
    ...(values.when !== 'day' && !(days >= 1 && days <= maxDays) && { days: `Enter a number of days from 1 to ${maxDays}` }),
  }
}

export const toItem = (values: ItemValues): Item => {
  const { words, kind, ownerRole, isRequired } = values
  return { words, kind, ownerRole, dueDays: daysOf(values), isRequired }
}
