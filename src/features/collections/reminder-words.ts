import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { Env } from '../../server/env.ts'
import { money } from '../../server/paper/paper.ts'
import type { Portion } from './rules.ts'

type Practice = Pick<Env, 'PRACTICE_NAME' | 'PRACTICE_PHONE' | 'PRACTICE_HOURS'>
type Owed = { balanceCents: number; portions: readonly Portion[] }

const longDay = (isoDay: string) => format(parseISO(isoDay), 'MMMM d, yyyy')
const sumOf = (portions: readonly Portion[]) => portions.reduce((sum, { openCents }) => sum + openCents, 0)

/** A reminder as whoever sends it may leave it or change it: what is owed, what of it is late, what is due next, and how to reach the practice. */
export function reminderWords(firstName: string, owed: Owed, today: string, practice: Practice): { subject: string; text: string } {
  const { PRACTICE_NAME, PRACTICE_PHONE, PRACTICE_HOURS } = practice
  const paragraphs = [
    `Hello ${firstName},`,
    `Your balance with ${PRACTICE_NAME} is ${money(owed.balanceCents)}.`,
    whenDue(owed, today).join(' '),
    'Your statement of account is attached. If you have paid in the meantime, thank you.',
    PRACTICE_PHONE === ''
      ? ''
      : `To pay, or to ask us anything, please call ${PRACTICE_PHONE}${PRACTICE_HOURS === '' ? '' : ` (${PRACTICE_HOURS})`}.`,
    PRACTICE_NAME,
  ]
  return { subject: `Your balance with ${PRACTICE_NAME}`, text: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n') }
}

function whenDue({ balanceCents, portions }: Owed, today: string): string[] {
  const byDay = portions.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const late = byDay.filter(({ dueOn }) => dueOn < today)
  const next = byDay.filter(({ dueOn }) => dueOn >= today)
  const said: string[] = []
  if (late.length > 0) {
    const isOneDay = late.every(({ dueOn }) => dueOn === late[0]!.dueOn)
    const when = longDay(late[0]!.dueOn)
    said.push(
      isOneDay ? `${money(sumOf(late))} was due on ${when}.` : `${money(sumOf(late))} is late, and the first of it was due on ${when}.`,
    )
  }
  if (next.length > 0) {
    const { dueOn } = next[0]!
    const amount = money(sumOf(next.filter((portion) => portion.dueOn === dueOn)))
    said.push(`${said.length > 0 ? `Next, ${amount}` : amount} is due ${dueOn === today ? 'today' : `on ${longDay(dueOn)}`}.`)
  }
  const beforeSurgery = sumOf(portions.filter(({ isBeforeSurgery }) => isBeforeSurgery))
  if (beforeSurgery > 0) {
    said.push(`${beforeSurgery === balanceCents ? 'All of it' : `${money(beforeSurgery)} of it`} has to be paid before your surgery.`)
  }
  return said
}
