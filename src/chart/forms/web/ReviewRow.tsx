import { cn } from '../../../ui/cn.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Badge, type BadgeTone } from '../../../ui/display/Badge.tsx'
import { fieldOf } from '../../../crm/contacts/derived-fields.ts'
import { formatDay, formatShortDate } from '../../../ui/format.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { severities, type Severity } from '../../health/rules.ts'
import { useReviewer } from '../../health/web/useReviewer.ts'
import { chartFields } from '../definition-rules.ts'
import { keyOf, targetOf, units } from '../review-rules.ts'
import type { ReviewItemData } from './form-data.ts'

/** What the reviewer writes instead of the answer, or adds to it. */
export interface Correction {
  text?: string
  severity?: Severity | null
  stopDays?: number | null
  isWeightLoss?: boolean
}

const states: Record<ReviewItemData['state'], { label: string; tone: BadgeTone }> = {
  new: { label: 'New', tone: 'info' },
  different: { label: 'Different', tone: 'warning' },
  same: { label: 'Same', tone: 'neutral' },
  contradiction: { label: 'Contradicts the chart', tone: 'danger' },
}
const severityNames: Record<Severity, string> = { mild: 'Mild', moderate: 'Moderate', severe: 'Severe' }

/** A choice and a day as they are written, instead of what is stored. */
function valueText(field: ReviewItemData['field'], value: string): string {
  if (field === 'birth_date') return formatDay(value)
  return namesOf(field)?.[value] ?? value
}

/** The choices of a field of the record, by what is stored; null if it has none. */
function namesOf(field: ReviewItemData['field']): Readonly<Record<string, string>> | null {
  const target = targetOf(field)
  if (target.to !== 'contact') return null
  const { control } = fieldOf(target.columns[0])
  return control.kind === 'choice' ? control.options : null
}

function shownText({ field, text, decision }: ReviewItemData): string {
  const target = targetOf(field)
  const shown = valueText(field, decision?.text ?? text)
  return target.to === 'measurement' ? `${shown} ${units[target.field]}` : shown
}

/** The columns of a review: what it is, the answer, the chart, the decision. */
export const rowColumns = 'gap-x-4 md:grid-cols-[10rem_minmax(0,1.25fr)_minmax(0,1fr)_10.5rem]'

interface ReviewRowProps {
  item: ReviewItemData
  /** The first of an answer with several parts, which shows what they share. */
  isFirst: boolean
  correction: Correction
  /** Why it can't be written as it is. */
  problem: string | undefined
  onCorrect: (correction: Correction) => void
  onDecide: (decision: 'accepted' | 'kept') => void
  isBusy: boolean
}

/** An answer beside what the chart says, to be decided. */
export function ReviewRow({ item, isFirst, correction, problem, onCorrect, onDecide, isBusy }: ReviewRowProps) {
  const shared = isFirst ? '' : 'md:sr-only'
  return (
    <li
      data-answer={keyOf(item)}
      className={cn(
        'grid gap-y-2 py-2 text-sm md:items-start',
        rowColumns,
        isFirst ? 'border-t border-line first:border-t-0' : 'max-md:pt-0',
      )}
    >
      <div className={cn('md:py-2', shared)}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-fg">
          {chartFields[item.field]}
          {(item.state !== 'new' || item.chart.length > 0) && <Badge tone={states[item.state].tone}>{states[item.state].label}</Badge>}
        </p>
        {/* Fields of the record say the same as their questions. */}
        {isFirst && targetOf(item.field).to === 'entry' && <p className="pt-0.5 text-xs text-fg-3">{item.label}</p>}
      </div>
      <div className="min-w-0">
        <Corrections item={item} correction={correction} problem={problem} onCorrect={onCorrect} />
      </div>
      <div className={cn('flex min-w-0 items-baseline gap-2 md:py-2', shared)}>
        <p className="flex-none text-xs text-fg-3 md:hidden">Chart now</p>
        {item.chart.length === 0 ? (
          <p className="text-fg-3">{item.isNone ? 'Not asked yet' : 'Not recorded'}</p>
        ) : (
          <ul className="wrap-anywhere text-fg">
            {item.chart.map((text) => (
              <li key={text}>{valueText(item.field, text)}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-1 md:col-start-4 md:justify-end md:py-1">
        <Button
          size="sm"
          variant="quiet"
          data-decision="kept"
          className="max-md:flex-1"
          disabled={isBusy}
          aria-label={`Keep chart: ${valueText(item.field, item.text)}`}
          onClick={() => onDecide('kept')}
        >
          Keep chart
        </Button>
        {item.state === 'contradiction' ? (
          <span aria-hidden="true" className="w-17 max-md:hidden" />
        ) : (
          <Button
            size="sm"
            data-decision="accepted"
            className="md:w-17 max-md:flex-1"
            disabled={isBusy}
            aria-label={`Accept ${valueText(item.field, item.text)}`}
            onClick={() => onDecide('accepted')}
          >
            Accept
          </Button>
        )}
      </div>
    </li>
  )
}

/** An answer that was decided, or that the chart says too. */
export function DecidedRow({ item }: { item: ReviewItemData }) {
  const clock = useClock()
  const nameOf = useReviewer()
  const { decision } = item
  return (
    <li className={cn('grid gap-y-0.5 py-2 text-sm md:items-baseline', rowColumns)}>
      <p className="text-fg-2">{chartFields[item.field]}</p>
      <p className="min-w-0 wrap-anywhere text-fg">{shownText(item)}</p>
      {decision && (
        <p className="text-fg-3 md:col-span-2 md:text-right">
          {decision.decision === 'accepted' ? 'Accepted' : 'Chart kept'} {formatShortDate(decision.decidedAt, clock)} by{' '}
          {nameOf(decision.decidedBy)}
        </p>
      )}
    </li>
  )
}

interface CorrectionsProps {
  item: ReviewItemData
  correction: Correction
  problem: string | undefined
  onCorrect: (correction: Correction) => void
}

function Corrections({ item, correction, problem, onCorrect }: CorrectionsProps) {
  const target = targetOf(item.field)
  if (item.isNone)
    return (
      <>
        <p className="wrap-anywhere text-fg md:py-2">{item.text}</p>
        {item.state === 'contradiction' && (
          <p className="pb-1 text-fg-2">Ask the patient. If they are right, correct the chart first. You can accept the answer then.</p>
        )}
      </>
    )
  const kind = target.to === 'entry' ? target.kind : null
  const isWeightLoss = target.to === 'entry' && (target.isWeightLoss ?? false)
  const set = (change: Correction) => onCorrect({ ...correction, ...change })
  const text = correction.text ?? item.text
  const names = namesOf(item.field)
  return (
    <div className="flex flex-col gap-2 md:-ml-[0.6875rem]">
      <Field label={`Write as: ${valueText(item.field, item.text)}`} hideLabel error={problem}>
        {names ? (
          <Select
            className="field-quiet md:w-56 md:text-sm"
            value={text}
            onValueChange={(chosen) => chosen !== null && set({ text: chosen })}
            options={Object.entries(names).map(([value, label]) => ({ value, label }))}
          />
        ) : item.field === 'birth_date' ? (
          <DateInput value={text} onValueChange={(day) => set({ text: day })} />
        ) : target.to === 'entry' ? (
          // Long answers have to be read in full.
          <Textarea
            className="field-quiet min-h-9 py-1.5 md:py-2 md:text-sm"
            rows={1}
            value={text}
            onChange={({ target: field }) => set({ text: field.value.replaceAll('\n', ' ').slice(0, 200) })}
          />
        ) : (
          <Input
            className={cn('field-quiet md:text-sm', target.to === 'measurement' && 'md:w-24')}
            value={text}
            maxLength={200}
            {...(target.to === 'measurement' && { inputMode: 'decimal', trailing: <span className="pr-1">{units[target.field]}</span> })}
            onChange={({ target: field }) => set({ text: field.value })}
          />
        )}
      </Field>
      {item.text.endsWith('…') && <p className="text-fg-2">The answer is longer. Read it in full under “All answers of the form”.</p>}
      {kind === 'allergy' && (
        <Select
          className="md:ml-[0.6875rem] md:w-48 md:text-sm"
          aria-label={`Severity of ${item.text}`}
          value={correction.severity ?? 'unknown'}
          onValueChange={(severity) => set({ severity: severity === 'unknown' ? null : severity })}
          options={[
            { value: 'unknown', label: 'Severity unknown' },
            ...severities.map((value) => ({ value, label: severityNames[value] })),
          ]}
        />
      )}
      {kind === 'medication' && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 md:pl-[0.6875rem]">
          <Input
            className="md:w-56 md:text-sm"
            aria-label={`Days to stop ${item.text} before surgery`}
            inputMode="numeric"
            leading="Stop"
            trailing={<span className="pr-1">days before surgery</span>}
            value={correction.stopDays ?? ''}
            onChange={({ target: field }) => {
              const digits = field.value.replace(/\D/g, '').slice(0, 3)
              set({ stopDays: digits === '' ? null : Number(digits) })
            }}
          />
          <CheckboxLine checked={correction.isWeightLoss ?? isWeightLoss} onCheckedChange={(isChecked) => set({ isWeightLoss: isChecked })}>
            For weight loss
          </CheckboxLine>
        </div>
      )}
    </div>
  )
}
