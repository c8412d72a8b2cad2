import type { Env } from '../../kernel/env.ts'
import { escapeHtml } from '../../platform/mail/rules.ts'
import { formatCents, formatLongDay, inLanguage, type Language } from '../../shared/translations.ts'
import type { BalanceVariable } from '../../messages/email-templates/rules.ts'
import type { Portion } from './rules.ts'
import { balanceTexts } from './texts.ts'

type Practice = Pick<Env, 'PRACTICE_PHONE' | 'PRACTICE_HOURS' | 'PRACTICE_HOURS_FR'>
type Balance = { balanceCents: number; portions: readonly Portion[] }

const sumOf = (portions: readonly Portion[]) => portions.reduce((sum, { openCents }) => sum + openCents, 0)

interface Given {
  /** A calendar day in the practice's time zone. */
  today: string
  practice: Practice
  /** The address of the page where it can be paid by card; null: it can't. */
  payUrl: string | null
  language: Language
}

/** The variables of the template `payment_reminder`. */
export const balanceValues = (balance: Balance, { today, practice, payUrl, language }: Given): Record<BalanceVariable, string> => ({
  balance_due: formatCents(balance.balanceCents, language),
  balance_details: describeDueDates(balance, today, language).join(' '),
  payment_contact: describeContact(practice, payUrl, language),
})

function describeContact({ PRACTICE_PHONE: phone, ...practice }: Practice, payUrl: string | null, language: Language): string {
  const hours = inLanguage(language, practice.PRACTICE_HOURS, practice.PRACTICE_HOURS_FR)
  const t = balanceTexts[language]
  const ways = [
    ...(payUrl === null ? [] : [payLink(payUrl, language).text]),
    ...(phone === '' ? [] : [hours === '' ? t('call', { phone }) : t('callDuring', { phone, hours })]),
  ]
  return ways.length === 0 ? t('reply') : t('orReply', { ways: ways.join(', ') })
}

/** How a reminder names the page where it can be paid, as text and as HTML. */
export function payLink(url: string, language: Language): { text: string; html: string } {
  const words = balanceTexts[language]('payPage')
  return { text: `${words} (${url})`, html: `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>` }
}

function describeDueDates({ balanceCents, portions }: Balance, today: string, language: Language): string[] {
  const t = balanceTexts[language]
  const money = (cents: number) => formatCents(cents, language)
  const byDay = portions.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const late = byDay.filter(({ dueOn }) => dueOn < today)
  const next = byDay.filter(({ dueOn }) => dueOn >= today)
  const sentences: string[] = []
  if (late.length > 0) {
    const isOneDay = late.every(({ dueOn }) => dueOn === late[0]!.dueOn)
    sentences.push(t(isOneDay ? 'was' : 'overdue', { amount: money(sumOf(late)), day: formatLongDay(late[0]!.dueOn, language) }))
  }
  if (next.length > 0) {
    const { dueOn } = next[0]!
    const amount = money(sumOf(next.filter((portion) => portion.dueOn === dueOn)))
    const isFirst = sentences.length === 0
    if (dueOn === today) sentences.push(t(isFirst ? 'dueToday' : 'nextToday', { amount }))
    else sentences.push(t(isFirst ? 'due' : 'next', { amount, day: formatLongDay(dueOn, language) }))
  }
  const beforeSurgery = sumOf(portions.filter(({ isBeforeSurgery }) => isBeforeSurgery))
  if (beforeSurgery === 0) return sentences
  const isAll = beforeSurgery === balanceCents
  return [
    ...sentences,
    isAll ? t('allBeforeSurgery') : t('partBeforeSurgery', { amount: money(beforeSurgery), balance: money(balanceCents) }),
  ]
}
