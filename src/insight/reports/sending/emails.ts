import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { Env } from '../../../kernel/env.ts'
import { centsToText } from '../../../shared/money.ts'
import { linkMail, type Mail } from '../../../platform/mail/rules.ts'
import type { Ask } from '../request-contract.ts'
import type { ReportAnswer } from '../contract.ts'
import { formatEstimate } from '../estimate-rules.ts'
import { fileName, type FilterLabels, rowsOf } from '../export.ts'
import { filterNames } from '../name-rules.ts'
import { definitionOf, type Unit } from '../report-rules.ts'
import { byteOrderMark, csvLine } from '../../../shared/csv.ts'

/** Email of a saved report: figures, a link, and all numbers as a file. Names no patient, since email leaves the clinic. */
export function reportMail(
  env: Pick<Env, 'APP_URL'>,
  to: { email: string; name: string },
  saved: { id: string; name: string; ask: Ask },
  answer: ReportAnswer,
  filters: readonly FilterLabels[],
): Mail {
  const { title, figures, measures } = definitionOf(saved.ask.report)
  const day = (iso: string) => format(parseISO(iso), 'MMM d, yyyy')
  const lines = figures.map((key) => {
    const { now = null, before = null } = answer.figures[key] ?? {}
    return `${measures[key]!.label}: ${formatFigure(now, measures[key]!.unit)} (before: ${formatFigure(before, measures[key]!.unit)})`
  })
  const estimate = formatEstimate(answer.part)
  const mail = linkMail(to.email, {
    subject: `${saved.name}: ${day(answer.now.from)} to ${day(answer.now.to)}`,
    paragraphs: [
      `Hello ${to.name},`,
      `${title}, ${day(answer.now.from)} to ${day(answer.now.to)}, compared with ${day(answer.before.from)} to ${day(answer.before.to)}:`,
      ...filters.map(([label, value]) => `${label}: ${value}`),
      ...lines,
      ...(estimate ? [estimate] : []),
    ],
    link: { label: 'Open the report', url: `${env.APP_URL}/reports?${addressOf(saved)}` },
    closing: 'All numbers are in the attached file. The person who saved this report can change when it is sent, or stop it.',
  })
  const file = Buffer.from(byteOrderMark + rowsOf(answer, saved.ask, filters).map(csvLine).join(''))
  return { ...mail, attachments: [{ name: `${fileName(answer)}.csv`, contentBase64: file.toString('base64'), contentType: 'text/csv' }] }
}

/** In the order of the report definition; the database may reorder JSON keys. */
const addressOf = ({ id, ask }: { id: string; ask: Ask }): string => {
  const given = (['report', 'period', 'from', 'to', ...filterNames] as const).flatMap((key): [string, string][] =>
    ask[key] === undefined ? [] : [[key, ask[key]]],
  )
  return String(new URLSearchParams([...given, ['saved', id]]))
}

function formatFigure(value: number | null, unit: Unit): string {
  if (value === null) return 'none'
  if (unit === 'money') return `${value < 0 ? '−' : ''}$${centsToText(Math.abs(value))}`
  if (unit === 'percent' || unit === 'rate') return `${value}%`
  if (unit === 'times') return `${value.toFixed(1)}×`
  if (unit === 'days') return `${Math.round(value * 10) / 10} days`
  if (unit === 'seconds') return value < 5_400 ? `${Math.round(value / 60)} min` : `${Math.round(value / 360) / 10} h`
  return value.toLocaleString('en-CA')
}
