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
import { targetOf, units } from '../review-rules.ts'
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

interface ReviewRowProps {
  item: ReviewItemData
  correction?: Correction
  /** Why it can't be written as it is. */
  problem?: string | undefined
  /** Not given once it is decided, or if the chart says the same. */
  onCorrect?: (correction: Correction) => void
  onDecide?: (decision: 'accepted' | 'kept') => void
  isBusy?: boolean
}

/** An answer beside what the chart says. */
export function ReviewRow({ item, correction = {}, problem, onCorrect, onDecide, isBusy = false }: ReviewRowProps) {
  const state = states[item.state]
  return (
    <li className="grid gap-x-4 gap-y-2 py-3 text-sm md:grid-cols-[minmax(0,11rem)_minmax(0,1fr)_minmax(0,1fr)_11.5rem] md:items-baseline">
      <div>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-fg">
          {chartFields[item.field]}
          {item.decision === null && <Badge tone={state.tone}>{state.label}</Badge>}
        </p>
        {item.label !== chartFields[item.field] && <p className="pt-0.5 text-xs text-fg-3">{item.label}</p>}
      </div>
      <div className="min-w-0">
        <p className="pb-1 text-xs text-fg-3 md:hidden">Patient’s answer</p>
        {onCorrect ? (
          <Corrections item={item} correction={correction} problem={problem} onCorrect={onCorrect} />
        ) : (
          <p className="wrap-anywhere text-fg">{shownText(item)}</p>
        )}
      </div>
      <div className="min-w-0">
        <p className="pb-1 text-xs text-fg-3 md:hidden">Chart now</p>
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
      {onDecide ? (
        <div className="flex flex-wrap gap-2 md:justify-end">
          <Button
            size="sm"
            className="max-md:flex-1"
            disabled={isBusy}
            aria-label={`Keep chart: ${item.text}`}
            onClick={() => onDecide('kept')}
          >
            Keep chart
          </Button>
          {item.state !== 'contradiction' && (
            <Button
              size="sm"
              className="max-md:flex-1"
              disabled={isBusy}
              aria-label={`Accept ${item.text}`}
              onClick={() => onDecide('accepted')}
            >
              Accept
            </Button>
          )}
        </div>
      ) : (
        <Decided item={item} />
      )}
    </li>
  )
}

function Decided({ item: { decision } }: { item: ReviewItemData }) {
  const clock = useClock()
  const nameOf = useReviewer()
  if (!decision) return <p className="text-fg-3 md:text-right">Already in the chart</p>
  return (
    <p className="text-fg-3 md:text-right">
      {decision.decision === 'accepted' ? 'Accepted' : 'Chart kept'} {formatShortDate(decision.decidedAt, clock)} by{' '}
      {nameOf(decision.decidedBy)}
    </p>
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
        <p className="font-medium wrap-anywhere text-fg">{item.text}</p>
        {item.state === 'contradiction' && (
          <p className="pt-1 text-fg-2">Ask the patient. If they are right, correct the chart first. You can accept the answer then.</p>
        )}
      </>
    )
  const kind = target.to === 'entry' ? target.kind : null
  const isWeightLoss = target.to === 'entry' && (target.isWeightLoss ?? false)
  const set = (change: Correction) => onCorrect({ ...correction, ...change })
  const text = correction.text ?? item.text
  const names = namesOf(item.field)
  return (
    <div className="flex flex-col gap-2">
      <Field label={`Write as: ${item.text}`} hideLabel error={problem}>
        {names ? (
          <Select
            value={text}
            onValueChange={(chosen) => chosen !== null && set({ text: chosen })}
            options={Object.entries(names).map(([value, label]) => ({ value, label }))}
          />
        ) : item.field === 'birth_date' ? (
          <DateInput value={text} onValueChange={(day) => set({ text: day })} />
        ) : target.to === 'entry' ? (
          // Long answers have to be read in full.
          <Textarea
            className="min-h-9 py-1.5"
            rows={1}
            value={text}
            onChange={({ target: field }) => set({ text: field.value.replaceAll('\n', ' ').slice(0, 200) })}
          />
        ) : (
          <Input
            value={text}
            maxLength={200}
            {...(target.to === 'measurement' && { inputMode: 'decimal', trailing: <span className="pr-1">{units[target.field]}</span> })}
            onChange={({ target: field }) => set({ text: field.value })}
          />
        )}
      </Field>
      {item.text.endsWith('…') && <p className="text-fg-2">The answer is longer. Open the form to read it in full.</p>}
      {kind === 'allergy' && (
        <Select
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
        <>
          <Input
            aria-label={`Days to stop ${item.text} before surgery`}
            inputMode="numeric"
            leading="Stop"
            trailing={<span className="pr-2.5 text-fg-3">days before surgery</span>}
            value={correction.stopDays ?? ''}
            onChange={({ target: field }) => {
              const digits = field.value.replace(/\D/g, '').slice(0, 3)
              set({ stopDays: digits === '' ? null : Number(digits) })
            }}
          />
          <CheckboxLine checked={correction.isWeightLoss ?? isWeightLoss} onCheckedChange={(isChecked) => set({ isWeightLoss: isChecked })}>
            For weight loss
          </CheckboxLine>
        </>
      )}
    </div>
  )
}
