import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { isCommercialCategory } from '../../../../crm/consent/rules.ts'
import { taskTypes } from '../../../../crm/tasks/rules.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Combobox } from '../../../../ui/controls/Combobox.tsx'
import { TimeInput } from '../../../../ui/controls/DateInput.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { RadioGroup } from '../../../../ui/controls/RadioGroup.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { limits, type Step, type Trigger } from '../../definition-contract.ts'
import { stepKindLabels } from '../labels.ts'
import type { TemplateChoice } from '../sequence-data.ts'
import { NumberField, PeopleField } from './fields.tsx'

interface StepDrawerProps {
  step: Step
  /** It was just added: typing goes into its first field. */
  isNew: boolean
  trigger: Trigger
  directory: Directory
  templates: readonly TemplateChoice[]
  /** What keeps the step from being saved. */
  problem: string | undefined
  /** Whether it can move up and down. */
  moves: { up: boolean; down: boolean }
  onChange: (step: Step) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onClose: () => void
  /** What gets the focus on close. */
  returnTo: () => HTMLElement | null
}

/** What a step does. Changes apply at once to the draft, which is saved by the page. */
export function StepDrawer({ step, isNew, moves, onMove, onRemove, onClose, returnTo, ...fields }: StepDrawerProps) {
  return (
    <SideDrawer
      title={stepKindLabels[step.kind]}
      onClose={onClose}
      returnTo={returnTo}
      isForm={isNew}
      isReadOnly={step.kind === 'hook' || step.kind === 'leave'}
      footer={
        <>
          <Button variant="danger" icon={<Trash2 />} onClick={onRemove}>
            Remove step
          </Button>
          <IconButton
            label="Move step up"
            keys="Alt+↑"
            variant="outlined"
            size="lg"
            icon={<ArrowUp />}
            disabled={!moves.up}
            onClick={() => onMove(-1)}
          />
          <IconButton
            label="Move step down"
            keys="Alt+↓"
            variant="outlined"
            size="lg"
            icon={<ArrowDown />}
            disabled={!moves.down}
            onClick={() => onMove(1)}
          />
          <Button className="ml-auto" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <StepFields step={step} {...fields} />
      </div>
    </SideDrawer>
  )
}

/** The words of a template, with its variables as they are. */
function TemplateWords({ id }: { id: string }) {
  const { data } = useQuery(orpc.emailTemplates.get.queryOptions({ input: { id } }))
  if (!data) return null
  return (
    <section aria-label="Message" className="rounded-md border border-line bg-subtle px-3 py-2.5 text-sm">
      {data.subject !== '' && <p className="pb-1 font-medium wrap-anywhere text-fg">{data.subject}</p>}
      <p className="wrap-anywhere whitespace-pre-line text-fg-2">{data.body}</p>
    </section>
  )
}

type StepFieldsProps = Pick<StepDrawerProps, 'step' | 'trigger' | 'directory' | 'templates' | 'problem' | 'onChange'>

function StepFields({ step, trigger, directory, templates, problem, onChange }: StepFieldsProps) {
  switch (step.kind) {
    case 'text':
    case 'email': {
      const template = templates.find(({ id }) => id === step.templateId)
      return (
        <>
          <Field
            label="Template"
            error={problem}
            hint={
              !template
                ? 'Templates are in Settings, Email and text templates.'
                : isCommercialCategory(template.category)
                  ? 'A marketing template: sent only to patients with consent.'
                  : template.isFrenchToo
                    ? 'Patients who prefer French receive the French version.'
                    : 'There is no French version: patients who prefer French receive this one.'
            }
          >
            <Combobox
              value={step.templateId || null}
              onValueChange={(templateId) => onChange({ ...step, templateId: templateId ?? '' })}
              options={templates.filter(({ channel }) => channel === step.kind).map(({ id, title }) => ({ value: id, label: title }))}
              placeholder="Choose a template"
            />
          </Field>
          {template && <TemplateWords id={template.id} />}
          <p className="text-sm text-fg-2">
            A patient receives at most three automatic messages in seven days, across all sequences and campaigns. Further ones wait.
          </p>
        </>
      )
    }
    case 'task':
      return (
        <>
          <Field label="Title" error={problem}>
            <Input
              value={step.title}
              maxLength={limits.title}
              autoComplete="off"
              onChange={({ target }) => onChange({ ...step, title: target.value })}
            />
          </Field>
          <Field label="Type">
            <Select
              value={step.type}
              onValueChange={(type) => type !== null && onChange({ ...step, type })}
              options={taskTypes.map((type) => ({ value: type, label: type }))}
            />
          </Field>
          <NumberField
            label="Due after"
            unit="hours"
            max={24 * 60}
            hint="If that is outside the hours of the sequence, it is due when they begin."
            value={step.hours}
            onChange={(hours) => onChange({ ...step, hours })}
          />
          <PeopleField
            label="Assign to"
            hint="Several take turns. Without anyone, the owner of the patient gets it."
            value={step.people}
            directory={directory}
            onChange={(people) => onChange({ ...step, people })}
          />
        </>
      )
    case 'wait':
      return (
        <>
          <Field label="Unit">
            <SegmentedControl
              value={step.unit}
              onValueChange={(unit) =>
                onChange({ ...step, unit, working: unit === 'days' && step.working, at: unit === 'days' ? step.at : null })
              }
              options={[
                { value: 'minutes', label: 'Minutes' },
                { value: 'hours', label: 'Hours' },
                { value: 'days', label: 'Days' },
              ]}
            />
          </Field>
          <NumberField
            label="How long"
            unit={step.unit}
            max={24 * 60}
            value={step.amount}
            error={problem}
            onChange={(amount) => onChange({ ...step, amount })}
          />
          {step.unit === 'days' && (
            <>
              <CheckboxLine
                checked={step.working}
                onCheckedChange={(working) => onChange({ ...step, working })}
                hint="Weekdays and holidays on which the practice is closed do not count. They are in Settings, Hours and rooms."
              >
                Working days only
              </CheckboxLine>
              <AtField value={step.at} onChange={(at) => onChange({ ...step, at })} />
            </>
          )}
        </>
      )
    case 'until': {
      const event = trigger.kind.startsWith('surgery') ? 'the surgery' : 'the appointment'
      const hasEvent = trigger.kind.startsWith('surgery') || trigger.kind.startsWith('appointment')
      const isBefore = step.days < 0
      return (
        <>
          {hasEvent && (
            <Field label="Counted from">
              <SegmentedControl
                value={step.from}
                onValueChange={(from) => onChange({ ...step, from, days: from === 'start' ? Math.abs(step.days) : step.days })}
                options={[
                  { value: 'start', label: 'The start' },
                  { value: 'event', label: event.replace('the', 'The') },
                ]}
              />
            </Field>
          )}
          {step.from === 'event' && (
            <SegmentedControl
              aria-label={`Before or after ${event}`}
              value={isBefore ? 'before' : 'after'}
              onValueChange={(side) =>
                onChange({ ...step, days: side === 'before' ? -Math.max(1, Math.abs(step.days)) : Math.abs(step.days) })
              }
              options={[
                { value: 'before', label: 'Before' },
                { value: 'after', label: 'After, or on the day' },
              ]}
            />
          )}
          <NumberField
            label={step.from === 'event' ? `Days ${isBefore ? 'before' : 'after'} ${event}` : 'Day of the sequence'}
            hint={step.from === 'start' ? 'Day 0 is the day on which the patient enters.' : undefined}
            unit="days"
            max={limits.days}
            value={Math.abs(step.days)}
            error={problem}
            onChange={(days) => onChange({ ...step, days: isBefore ? -days : days })}
          />
          <Field label="At">
            <TimeInput value={step.at} onValueChange={(at) => at !== '' && onChange({ ...step, at })} />
          </Field>
        </>
      )
    }
    case 'branch':
      return (
        <>
          <Field label="Ask whether">
            <RadioGroup
              value={step.on}
              onValueChange={(on) => onChange({ ...step, on })}
              options={[
                {
                  value: 'reply',
                  label: 'They replied',
                  hint: 'By text, email or the portal. This branch then takes the reply: it does not end the sequence.',
                },
                {
                  value: 'booking',
                  label: 'They booked',
                  hint: 'An appointment. This branch then takes the booking: it does not end the sequence.',
                },
                {
                  value: 'link',
                  label: 'They opened a link',
                  hint: 'In an email of this sequence, or to the portal, a form or an appointment in a text.',
                },
              ]}
            />
          </Field>
          <NumberField
            label="Wait for it at most"
            unit="days"
            max={limits.days}
            value={step.days}
            error={problem}
            hint="As soon as it happens, “Yes” follows. After these days without it, “No” follows."
            onChange={(days) => onChange({ ...step, days })}
          />
        </>
      )
    case 'stage':
      return (
        <Field label="Stage" error={problem}>
          <Select
            value={step.stageId || null}
            onValueChange={(stageId) => stageId !== null && onChange({ ...step, stageId })}
            options={directory.stages.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )
    case 'tag':
      return (
        <>
          <Field label="What to do">
            <SegmentedControl
              value={step.on ? 'add' : 'remove'}
              onValueChange={(what) => onChange({ ...step, on: what === 'add' })}
              options={[
                { value: 'add', label: 'Add the tag' },
                { value: 'remove', label: 'Remove the tag' },
              ]}
            />
          </Field>
          <TagField value={step.tagId} directory={directory} problem={problem} onChange={(tagId) => onChange({ ...step, tagId })} />
        </>
      )
    case 'owner':
      return (
        <PeopleField
          label="Owner"
          hint="Several take turns, each with the next patient."
          value={step.people}
          directory={directory}
          error={problem}
          onChange={(people) => onChange({ ...step, people })}
        />
      )
    case 'hook':
      return (
        <p className="text-sm text-fg-2">
          Sends the event “sequence.reached” with the id of the patient to the webhooks in Settings that ask for it.
        </p>
      )
    case 'leave':
      return <p className="text-sm text-fg-2">The patient leaves the sequence here. Steps that follow are not carried out.</p>
  }
}

/** A tag of the practice. */
export function TagField({
  value,
  directory,
  problem,
  onChange,
}: {
  value: string
  directory: Directory
  problem: string | undefined
  onChange: (id: string) => void
}) {
  return (
    <Field label="Tag" error={problem}>
      <Combobox
        value={value || null}
        onValueChange={(id) => onChange(id ?? '')}
        options={directory.tags.map(({ id, name }) => ({ value: id, label: name }))}
        placeholder="Choose a tag"
      />
    </Field>
  )
}

function AtField({ value, onChange }: { value: string | null; onChange: (at: string | null) => void }) {
  return (
    <div className="flex flex-col gap-2">
      <CheckboxLine
        checked={value !== null}
        onCheckedChange={(isSet) => onChange(isSet ? '10:00' : null)}
        hint="Without it, the time of day stays as it was."
      >
        Until a time of day
      </CheckboxLine>
      {value !== null && (
        <Field label="Time of day" hideLabel>
          <TimeInput value={value} onValueChange={(at) => at !== '' && onChange(at)} />
        </Field>
      )}
    </div>
  )
}
