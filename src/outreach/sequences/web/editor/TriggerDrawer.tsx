import { ConditionsField } from '../../../../crm/contacts/web/embed/ConditionsField.tsx'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { type Definition, limits, type Trigger, triggerKinds } from '../../definition-contract.ts'
import { newTrigger } from '../draft.ts'
import { triggerLabels } from '../labels.ts'
import { NumberField } from './fields.tsx'
import { TagField } from './StepDrawer.tsx'

interface TriggerDrawerProps {
  definition: Definition
  directory: Directory
  problem: string | undefined
  onChange: (definition: Definition) => void
  onClose: () => void
  /** What gets the focus on close. */
  returnTo: () => HTMLElement | null
}

/** What starts a sequence, and for which patients. */
export function TriggerDrawer({ definition, directory, problem, onChange, onClose, returnTo }: TriggerDrawerProps) {
  const { trigger, filter } = definition
  const set = (next: Trigger) => onChange({ ...definition, trigger: next })
  return (
    <SideDrawer
      title="When it starts"
      onClose={onClose}
      returnTo={returnTo}
      footer={
        <Button className="ml-auto" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Field label="Starts when">
          <Select
            value={trigger.kind}
            onValueChange={(kind) => kind !== null && kind !== trigger.kind && set(newTrigger(kind))}
            options={triggerKinds.map((kind) => ({ value: kind, label: triggerLabels[kind] }))}
          />
        </Field>
        <TriggerFields trigger={trigger} directory={directory} problem={problem} onChange={set} />
        <div role="group" aria-labelledby="sequence-conditions">
          <p id="sequence-conditions" className="pb-1.5 text-sm font-medium text-fg">
            Only for patients with
          </p>
          <ConditionsField value={filter} directory={directory} onChange={(next) => onChange({ ...definition, filter: next })} />
          <p className="pt-1.5 text-sm text-fg-3">The filters of the patient list. They are checked when the sequence starts.</p>
        </div>
      </div>
    </SideDrawer>
  )
}

interface TriggerFieldsProps {
  trigger: Trigger
  directory: Directory
  problem: string | undefined
  onChange: (trigger: Trigger) => void
}

function TriggerFields({ trigger, directory, problem, onChange }: TriggerFieldsProps) {
  switch (trigger.kind) {
    case 'lead':
      return (
        <Field label="Lead sources" hint="Without any, leads of all sources start it." error={problem}>
          <MultiSelect
            listLabel="Chosen sources"
            placeholder="Add a source"
            picked={trigger.sourceIds.map((id) => ({
              value: id,
              label: directory.sources.find((one) => one.id === id)?.name ?? 'A deleted source',
            }))}
            options={directory.sources
              .filter(({ id }) => !trigger.sourceIds.includes(id))
              .map(({ id, name }) => ({ value: id, label: name }))}
            onAdd={(id) => onChange({ ...trigger, sourceIds: [...trigger.sourceIds, id] })}
            onRemove={(id) => onChange({ ...trigger, sourceIds: trigger.sourceIds.filter((one) => one !== id) })}
          />
        </Field>
      )
    case 'stage':
      return (
        <>
          <Field label="Stage" error={problem}>
            <Select
              value={trigger.stageId || null}
              onValueChange={(stageId) => stageId !== null && onChange({ ...trigger, stageId })}
              options={directory.stages.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Field>
          <NumberField
            label="Days in the stage"
            unit="days"
            max={limits.days}
            value={trigger.days}
            hint="0 starts it at once."
            onChange={(days) => onChange({ ...trigger, days })}
          />
        </>
      )
    case 'tag':
      return (
        <TagField value={trigger.tagId} directory={directory} problem={problem} onChange={(tagId) => onChange({ ...trigger, tagId })} />
      )
    case 'no-contact':
      return (
        <NumberField
          label="Months without contact"
          unit="months"
          max={60}
          value={trigger.months}
          error={problem}
          hint="Counted from the last contact in the patient’s record."
          onChange={(months) => onChange({ ...trigger, months })}
        />
      )
    case 'appointment-before':
    case 'quote-expiring':
    case 'surgery-before':
    case 'surgery-after':
    case 'form-unanswered':
      return (
        <NumberField
          label={dayLabels[trigger.kind]}
          unit="days"
          max={limits.days}
          value={trigger.days}
          error={problem}
          onChange={(days) => onChange({ ...trigger, days })}
        />
      )
    default:
      return null
  }
}

const dayLabels = {
  'appointment-before': 'Days before the appointment',
  'quote-expiring': 'Days before the quote expires',
  'surgery-before': 'Days before surgery',
  'surgery-after': 'Days after surgery',
  'form-unanswered': 'Days without an answer',
} as const
