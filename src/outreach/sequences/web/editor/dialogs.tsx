import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { RadioGroup } from '../../../../ui/controls/RadioGroup.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { limits } from '../../definition-contract.ts'
import { countOf } from '../labels.ts'
import type { SequenceData } from '../sequence-data.ts'
import { NumberField } from './fields.tsx'
import { MissingValues } from './MissingValues.tsx'
import { SameTrigger } from './SameTrigger.tsx'

interface SequenceDialogProps {
  sequence: SequenceData
  onDone: () => unknown
  onClose: () => void
}

/** Publishes the draft; asks what happens to patients under way. */
export function PublishDialog({ sequence, onDone, onClose }: SequenceDialogProps) {
  const { id, version, published, active, isOn } = sequence
  const number = (published ?? 0) + 1
  const asks = published !== null && active > 0
  const form = useActionForm({
    initial: { what: 'stay' as 'stay' | 'move' },
    async send({ what }) {
      const done = await client.sequences.publish({ id, version, moves: asks && what === 'move' })
      await onDone()
      return done
    },
    done: (done) => `Version ${done.number} published${done.moved > 0 ? ` for ${countOf(done.moved, 'patient')} under way too` : ''}`,
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Publish version ${number}?`}
      form={form}
      action={{ label: `Publish version ${number}`, busyLabel: 'Publishing…' }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        {isOn ? 'From now on, patients enter with this version.' : 'The sequence is off. It starts for no one until you turn it on.'}
      </p>
      {asks && (
        <Field label={`${countOf(active, 'patient')} under way`}>
          <RadioGroup
            data-autofocus
            {...form.choice('what')}
            options={[
              { value: 'stay', label: 'Finish the version they started with' },
              {
                value: 'move',
                label: `Move to version ${number}`,
                hint: 'Patients whose next step is no longer in the sequence finish theirs.',
              },
            ]}
          />
        </Field>
      )}
    </ActionDialog>
  )
}

/** Turns a sequence on, for new events and those of the last days. */
export function TurnOnDialog({ sequence, onDone, onClose }: SequenceDialogProps) {
  const { id, published, hasChanges } = sequence
  const form = useActionForm({
    initial: { days: 0 },
    check: ({ days }) => ({ days: Number.isNaN(days) ? 'Enter a number of days' : undefined }),
    async send({ days }) {
      const done = await client.sequences.setOn({ id, on: true, days })
      await onDone()
      return done
    },
    done: ({ started }) => (started > 0 ? `Sequence turned on for ${countOf(started, 'patient')}` : 'Sequence turned on'),
    onDone: onClose,
  })
  const { days } = form.values
  const count = useQuery(orpc.sequences.dryRun.queryOptions({ input: { id, days: days || 0 }, enabled: !hasChanges, staleTime: 10_000 }))
  return (
    <ActionDialog
      title={`Turn on “${sequence.name}”?`}
      form={form}
      action={{ label: 'Turn on', busyLabel: 'Turning on…' }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        Version {published} starts for patients from now on, and sends its messages by itself.
        {hasChanges && ' Your draft changes are not part of it until you publish them.'}
      </p>
      <SameTrigger sequence={sequence} />
      {count.data && <MissingValues missing={count.data.missing} />}
      <NumberField
        label="Also start for what happened in the last"
        unit="days"
        max={limits.days}
        value={days}
        error={form.problems.days}
        hint={
          days > 0
            ? count.data
              ? `Starts for ${countOf(count.data.start, 'patient')} at once.`
              : 'These patients start at once.'
            : '0 starts for no one until something happens.'
        }
        onChange={(value) => form.set({ days: value })}
      />
    </ActionDialog>
  )
}

export function NameSequenceDialog({ sequence, onDone, onClose }: SequenceDialogProps) {
  const form = useActionForm({
    initial: { name: sequence.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name' : undefined }),
    async send({ name }) {
      await client.sequences.update({ id: sequence.id, version: sequence.version, name })
      await onDone()
    },
    refusals: { NAME_TAKEN: 'name' },
    done: 'Sequence renamed',
    onDone: onClose,
  })
  return (
    <ActionDialog title="Rename sequence" form={form} action={{ label: 'Rename sequence' }} onClose={onClose}>
      <Field label="Name" error={form.problems.name}>
        <Input data-autofocus {...form.text('name')} maxLength={limits.name} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}

export function DeleteDialog({ sequence, onDone, onClose }: SequenceDialogProps) {
  const form = useActionForm({
    initial: {},
    send: () => client.sequences.delete({ id: sequence.id }),
    done: 'Sequence deleted',
    onDone,
  })
  return (
    <ActionDialog
      title={`Delete “${sequence.name}”?`}
      form={form}
      action={{ label: 'Delete sequence', busyLabel: 'Deleting…', isDanger: true }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        {sequence.active > 0
          ? `${countOf(sequence.active, 'patient')} under way ${sequence.active === 1 ? 'leaves' : 'leave'} it at once. `
          : ''}
        What it did stays in the log of each patient. This cannot be undone.
      </p>
    </ActionDialog>
  )
}
