import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { type Condition, type Question, scaleRange, type Test, testsFor } from '../../definition-rules.ts'
import { testLabels } from '../labels.ts'
import { LimitInput } from './LimitInput.tsx'

interface ConditionFieldsProps {
  label: string
  condition: Condition | null
  /** The questions that may be asked for. */
  earlier: readonly Question[]
  onChange: (condition: Condition | null) => void
  problem?: string
}

/** Always, or if an earlier question was answered in a way. */
export function ConditionFields({ label, condition, earlier, onChange, problem }: ConditionFieldsProps) {
  const asked = earlier.find(({ id }) => id === condition?.question)
  if (earlier.length === 0 && condition === null) return null
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Field label={label} error={problem}>
        <Select
          value={condition?.question ?? null}
          noneLabel="Always"
          onValueChange={(id) => {
            const question = earlier.find((one) => one.id === id)
            onChange(question ? { question: question.id, ...firstTest(question) } : null)
          }}
          options={earlier.map(({ id, label: words }) => ({ value: id, label: `If: ${words.en || id}` }))}
        />
      </Field>
      {condition && asked && (
        <TestFields question={asked} value={condition} onChange={(test) => onChange({ question: asked.id, ...test })} label="Condition" />
      )}
    </div>
  )
}

/** The first test that fits a question. */
export function firstTest(question: Question): Test {
  const [test] = testsFor(question)
  if (test === undefined || test === 'answered') return { test: 'answered', value: null }
  if (question.type === 'yes_no') return { test, value: true }
  return { test, value: question.options[0]?.id ?? 1 }
}

interface TestFieldsProps {
  question: Question
  value: Test
  onChange: (test: Test) => void
  label: string
}

/** A test of the answer to a question, with its value. */
export function TestFields({ question, value: { test, value }, onChange, label }: TestFieldsProps) {
  const choices =
    question.type === 'yes_no'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : question.options.map(({ id, label: words }) => ({ value: id, label: words.en || id }))
  return (
    <Field label={label}>
      <div className="flex gap-2">
        <Select
          value={test}
          onValueChange={(next) => {
            if (next === null) return
            onChange(next === 'answered' ? { test: next, value: null } : { test: next, value: value ?? firstTest(question).value })
          }}
          options={testsFor(question).map((one) => ({ value: one, label: testLabels[one] }))}
        />
        {test === 'equals' || test === 'includes' ? (
          <Select
            aria-label="Answer"
            value={String(value)}
            onValueChange={(next) => next !== null && onChange({ test, value: question.type === 'yes_no' ? next === 'true' : next })}
            options={choices}
          />
        ) : test === 'answered' ? null : (
          <LimitInput
            aria-label="Limit"
            value={typeof value === 'number' ? value : null}
            placeholder={String(scaleRange.min)}
            onValue={(limit) => onChange({ test, value: limit ?? 0 })}
          />
        )}
      </div>
    </Field>
  )
}
