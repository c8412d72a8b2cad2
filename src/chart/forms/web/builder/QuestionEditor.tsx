import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import {
  chartFields,
  type ChartField,
  type DayLimit,
  definitionLimits,
  definitionProblems,
  type DefinitionProblem,
  isDay,
  type Question,
  questionTypes,
} from '../../definition-rules.ts'
import { targetOf } from '../../review-rules.ts'
import { typeLabels } from '../labels.ts'
import { ConditionFields, firstTest, TestFields } from './ConditionFields.tsx'
import { newOption, withType } from './draft.ts'
import { LimitInput } from './LimitInput.tsx'
import { FoldingItem } from '../../../templates/web/embed/FoldingItem.tsx'
import { WordsFields } from '../../../templates/web/embed/WordsFields.tsx'

interface QuestionEditorProps {
  question: Question
  earlier: readonly Question[]
  isOpen: boolean
  onToggle: () => void
  onMove: (by: -1 | 1) => void
  onChange: (question: Question) => void
  problems: readonly DefinitionProblem[]
  actions: ReactNode
}

/** A question as one line; opened, with everything that can be set. */
export function QuestionEditor({ question, isOpen, onToggle, onMove, problems, actions, ...rest }: QuestionEditorProps) {
  const facts = [
    typeLabels[question.type],
    question.isRequired && 'required',
    question.showIf && 'conditional',
    question.mapsTo && `to ${chartFields[question.mapsTo]}`,
  ]
  return (
    <FoldingItem
      id={question.id}
      title={question.label.en || 'New question'}
      facts={facts.filter(Boolean).join(', ')}
      badge={problems.length > 0 ? <Badge tone="danger">Check</Badge> : question.redFlag && <Badge tone="warning">Red flag</Badge>}
      actions={actions}
      isOpen={isOpen}
      onToggle={onToggle}
      onMove={onMove}
    >
      <QuestionFields question={question} problems={problems} {...rest} />
    </FoldingItem>
  )
}

function QuestionFields({
  question,
  earlier,
  onChange,
  problems,
}: Omit<QuestionEditorProps, 'isOpen' | 'onToggle' | 'onMove' | 'actions'>) {
  const set = (change: Partial<Question>) => onChange({ ...question, ...change })
  const problemOf = (field: string) => {
    const found = problems.find((problem) => problem.field === field)
    return found && definitionProblems[found.code]
  }
  return (
    <>
      <WordsFields
        label="Question"
        isLong
        rows={1}
        value={question.label}
        onChange={(label) => set({ label })}
        problem={problemOf('label')}
      />
      <div className="grid gap-3 md:grid-cols-2">
        <Field label="Type">
          <Select
            value={question.type}
            onValueChange={(type) => type !== null && onChange(withType(question, type))}
            options={questionTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
          />
        </Field>
        <Field label="Chart field" optional hint={mappingHint(question)}>
          <Select
            value={question.mapsTo}
            noneLabel="None"
            onValueChange={(mapsTo) => set({ mapsTo })}
            options={(Object.entries(chartFields) as [ChartField, string][]).map(([value, label]) => ({ value, label }))}
          />
        </Field>
      </div>
      <CheckboxLine checked={question.isRequired} onCheckedChange={(isRequired) => set({ isRequired })}>
        Required
      </CheckboxLine>
      <TypeFields question={question} set={set} problemOf={problemOf} />
      <WordsFields
        label="Help text"
        isOptional
        isLong
        rows={1}
        value={question.help}
        onChange={(help) => set({ help })}
        problem={problemOf('help')}
      />
      <ConditionFields
        label="Show this question"
        condition={question.showIf}
        earlier={earlier}
        onChange={(showIf) => set({ showIf })}
        problem={problemOf('showIf')}
      />
      <CheckboxLine
        checked={question.redFlag !== null}
        onCheckedChange={(isFlagged) =>
          set({ redFlag: isFlagged ? { when: firstTest(question), message: { en: '', fr: '' }, to: 'alert' } : null })
        }
        hint="Staff see it first when the form is submitted. Patients never see it."
      >
        Red flag
      </CheckboxLine>
      {question.redFlag && <RedFlagFields question={question} redFlag={question.redFlag} set={set} problem={problemOf('redFlag')} />}
    </>
  )
}

/** What becomes of the answer when a form is reviewed. */
function mappingHint({ mapsTo, type }: Question): string {
  const target = mapsTo && targetOf(mapsTo)
  if (!target) return 'Staff can accept the answer into the chart.'
  if (target.to === 'nowhere') return 'Staff read it with the form.'
  if (type === 'yes_no' && target.to === 'entry' && target.none)
    return `“No” proposes “${target.none}”. After “Yes”, ask for the list in a question with the same field.`
  return 'Staff can accept the answer into the chart.'
}

interface RedFlagFieldsProps {
  question: Question
  redFlag: NonNullable<Question['redFlag']>
  set: (change: Partial<Question>) => void
  problem: string | undefined
}

function RedFlagFields({ question, redFlag, set, problem }: RedFlagFieldsProps) {
  return (
    <div className="flex flex-col gap-3 border-l-2 border-line pl-3">
      <div className="grid gap-3 md:grid-cols-2">
        <TestFields
          question={question}
          value={redFlag.when}
          onChange={(when) => set({ redFlag: { ...redFlag, when } })}
          label="If the answer"
        />
        <Field label="Then">
          <Select
            value={redFlag.to}
            onValueChange={(to) => to !== null && set({ redFlag: { ...redFlag, to } })}
            options={[
              { value: 'alert', label: 'Add an alert to the chart' },
              { value: 'checklist', label: 'Add an item to the surgery checklist' },
              { value: 'task', label: 'Also create a task for the sender' },
            ]}
          />
        </Field>
      </div>
      <WordsFields
        label="Message for staff"
        value={redFlag.message}
        onChange={(message) => set({ redFlag: { ...redFlag, message } })}
        problem={problem}
      />
    </div>
  )
}

interface TypeFieldsProps {
  question: Question
  set: (change: Partial<Question>) => void
  problemOf: (field: string) => string | undefined
}

/** What only questions of this type have. */
function TypeFields({ question, set, problemOf }: TypeFieldsProps) {
  switch (question.type) {
    case 'number':
      return (
        <div className="grid gap-3 md:grid-cols-3">
          <Field label="Minimum" optional error={problemOf('limits')}>
            <LimitInput value={question.min} onValue={(min) => set({ min })} />
          </Field>
          <Field label="Maximum" optional>
            <LimitInput value={question.max} onValue={(max) => set({ max })} />
          </Field>
          <Field label="Unit" optional error={problemOf('unit')}>
            <Input
              maxLength={definitionLimits.unit}
              value={question.unit ?? ''}
              onChange={({ target }) => set({ unit: target.value === '' ? null : target.value })}
            />
          </Field>
        </div>
      )
    case 'date':
      return (
        <div className="grid gap-3 md:grid-cols-2">
          <DayLimitField label="Earliest" limit={question.earliest} onLimit={(earliest) => set({ earliest })} error={problemOf('limits')} />
          <DayLimitField label="Latest" limit={question.latest} onLimit={(latest) => set({ latest })} />
        </div>
      )
    case 'choice':
    case 'choices':
      return <OptionFields question={question} set={set} problem={problemOf('options')} />
    case 'scale':
      return question.ends ? (
        <div className="flex flex-col gap-3">
          <WordsFields
            label="Label of 0"
            value={question.ends.low}
            onChange={(low) => set({ ends: { ...question.ends!, low } })}
            problem={problemOf('ends')}
          />
          <WordsFields
            label="Label of 10"
            value={question.ends.high}
            onChange={(high) => set({ ends: { ...question.ends!, high } })}
            problem={problemOf('ends')}
          />
        </div>
      ) : null
    default:
      return null
  }
}

interface DayLimitFieldProps {
  label: string
  limit: DayLimit | null
  onLimit: (limit: DayLimit | null) => void
  error?: string
}

/** A day such as 2026-01-31, or a number of days from today. */
function DayLimitField({ label, limit, onLimit, error }: DayLimitFieldProps) {
  return (
    <Field label={label} optional error={error} hint="A date such as 2026-01-31, or days from today: 0 is today, -10 is ten days ago.">
      <Input
        maxLength={10}
        defaultValue={limit === null ? '' : String(limit)}
        onChange={({ target }) => {
          const text = target.value.trim()
          if (text === '') onLimit(null)
          else if (/^-?\d{1,5}$/.test(text)) onLimit(Number(text))
          else onLimit(isDay(text) ? text : text.slice(0, 10))
        }}
      />
    </Field>
  )
}

function OptionFields({
  question,
  set,
  problem,
}: {
  question: Question
  set: (change: Partial<Question>) => void
  problem: string | undefined
}) {
  const { options } = question
  const change = (id: string, part: Partial<Question['options'][number]>) =>
    set({ options: options.map((option) => (option.id === id ? { ...option, ...part } : option)) })
  return (
    <div className="flex flex-col gap-3">
      {problem && <Alert tone="danger">{problem}</Alert>}
      <ul aria-label="Answers" className="flex flex-col gap-3">
        {options.map((option, index) => (
          <li key={option.id} className="flex items-end gap-1">
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <WordsFields label={`Answer ${index + 1}`} value={option.label} onChange={(label) => change(option.id, { label })} />
              {question.type === 'choices' && (
                <CheckboxLine checked={option.isExclusive} onCheckedChange={(isExclusive) => change(option.id, { isExclusive })}>
                  Excludes the other answers
                </CheckboxLine>
              )}
            </div>
            <IconButton
              label={`Remove answer ${index + 1}`}
              onClick={() => set({ options: options.filter(({ id }) => id !== option.id) })}
              icon={<Trash2 />}
            />
          </li>
        ))}
      </ul>
      <Button icon={<Plus />} size="sm" className="self-start" onClick={() => set({ options: [...options, newOption(question)] })}>
        Add answer
      </Button>
    </div>
  )
}
