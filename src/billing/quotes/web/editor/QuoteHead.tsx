import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { quoteLimits } from '../../quote-contract.ts'
import { quoteName } from '../../rules.ts'
import type { QuoteData, QuotePatient } from '../quote-data.ts'
import { type Beginning, forCase, forProcedure } from './price-list.ts'
import type { QuoteDraft } from './quote-draft.ts'

interface QuoteHeadProps {
  patient: QuotePatient
  quote: QuoteData | null
  draft: QuoteDraft
  beginning: Beginning
  problems: Readonly<Record<string, string>>
  onChange: (draft: QuoteDraft) => void
  action: ReactNode
  /** A notice shown first. */
  children: ReactNode
}

/** The quote's patient, procedure, surgery and validity. */
export function QuoteHead({ patient, quote, draft, beginning, problems, onChange, action, children }: QuoteHeadProps) {
  const clock = useClock()
  const { choices, defaultCode, today } = beginning
  const set = (part: Partial<QuoteDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-xl font-semibold wrap-anywhere text-fg">
            Quote for{' '}
            <Link
              to="/contacts/$id"
              params={{ id: patient.id }}
              search={{ tab: 'account' }}
              className="rounded-xs underline-offset-4 hover:underline"
            >
              {patient.firstName} {patient.lastName}
            </Link>
          </h2>
          <p className="text-sm text-fg-2">
            {quote ? `${quoteName(quote)} · Draft of ${formatDate(quote.createdAt, clock.timeZone)}` : 'Not saved yet'}
          </p>
        </div>
        {action}
      </header>
      {children}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Field label="Procedure" optional>
          <Select
            value={draft.procedureId}
            noneLabel="None of the list"
            onValueChange={(id) => onChange(forProcedure(draft, choices.procedures.find((one) => one.id === id) ?? null, defaultCode))}
            options={choices.procedures
              .filter(({ id, isActive }) => isActive || id === draft.procedureId)
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        <Field label="Title, as the patient reads it" error={problems.title}>
          <Input
            value={draft.title}
            maxLength={quoteLimits.title}
            autoComplete="off"
            data-begins
            onChange={({ target }) => set({ title: target.value })}
          />
        </Field>
        <Field
          label="Surgery"
          optional
          error={problems.surgery}
          hint={draft.surgeryId ? 'It gets its price once the quote is accepted.' : undefined}
        >
          <Select
            value={draft.surgeryId}
            onValueChange={(id) => onChange(forCase(draft, choices.cases.find((one) => one.id === id) ?? null, beginning))}
            noneLabel="None"
            options={choices.cases.map(({ id, procedures, startsAt }) => ({
              value: id,
              label: `${procedures.join(', ')}, ${formatDate(startsAt, clock.timeZone)}`,
            }))}
          />
        </Field>
        <Field label="Valid until" error={problems.validUntil} className="md:max-w-44">
          <DateInput value={draft.validUntil} min={today} onValueChange={(validUntil) => set({ validUntil })} />
        </Field>
      </div>
    </>
  )
}
