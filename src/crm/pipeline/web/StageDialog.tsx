import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { FunnelStage } from '../contract.ts'
import { isNeeded } from '../rules.ts'
import { StageIcon } from './embed/StageName.tsx'

interface StageDialogProps {
  /** Null for a new stage. */
  stage: FunnelStage | null
  stages: readonly FunnelStage[]
  /** The number of patients in the stage. */
  count: number
  onClose: () => void
}

type StageAction = 'keep' | 'retire' | 'merge'

const formatPatients = (count: number) => (count === 1 ? '1 patient' : `${formatCount(count)} patients`)

/** Edits a stage's name and status, or merges it into another stage. */
export default function StageDialog({ stage, stages, count, onClose }: StageDialogProps) {
  const cache = useQueryClient()
  // The stage as it was when the dialog opened, so that someone else's change in between is reported as a conflict.
  const [before] = useState(stage)
  const isRequired = before !== null && isNeeded(stages, before)
  const others = stages.filter(({ id, isActive }) => isActive && id !== before?.id)
  const form = useActionForm({
    initial: {
      name: before?.name ?? '',
      isLost: false,
      action: (before && !before.isActive ? 'retire' : 'keep') as StageAction,
      into: null as string | null,
    },
    check: ({ name, action, into }) => ({
      name: name.trim() === '' ? 'Name the stage' : undefined,
      into: action === 'merge' && into === null ? 'Choose a stage' : undefined,
    }),
    refusals: { NAME_TAKEN: 'name', INVALID_TARGET: 'into' },
    async send({ name, isLost, action, into }) {
      if (!before) return `${(await client.pipeline.addStage({ name, kind: isLost ? 'lost' : 'open' })).name} was added`
      if (action === 'merge') {
        const { total } = await client.pipeline.mergeStage({ id: before.id, into: into ?? '' })
        if (total === 0) return `${before.name} retired`
        return `Moving ${formatPatients(total)} to ${others.find(({ id }) => id === into)?.name ?? ''}`
      }
      const change = { id: before.id, version: before.version, name, isActive: action === 'keep' }
      return `${(await client.pipeline.changeStage(change)).name} was saved`
    },
    done: (message) => message,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.pipeline.key() })
      onClose()
    },
  })
  const { problems } = form
  const { action } = form.values
  const isMerge = action === 'merge'

  const hint = {
    keep: undefined,
    retire: count > 0 ? `${formatPatients(count)} will stay in this stage until moved.` : 'No patients are in this stage.',
    merge: 'The stage is retired. Each move appears on the patient’s timeline, and the merge can be undone.',
  }[action]
  return (
    <ActionDialog
      title={before ? 'Edit stage' : 'Add stage'}
      form={form}
      action={{
        label: !before ? 'Add stage' : isMerge ? (count > 0 ? `Move ${formatPatients(count)}` : 'Merge stage') : 'Save stage',
        busyLabel: isMerge ? 'Moving…' : 'Saving…',
      }}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={40} autoComplete="off" disabled={isMerge} />
      </Field>
      {!before && (
        <CheckboxLine {...form.tick('isLost')} hint="Patients moved to this stage count as lost, and staff are asked for a reason.">
          Stage for lost leads
        </CheckboxLine>
      )}
      {before && !isRequired && (
        <Field label="Status" hint={hint}>
          <Select
            {...form.choice('action')}
            options={[
              { value: 'keep', label: 'Active' },
              { value: 'retire', label: 'Inactive' },
              ...(others.length > 0 ? [{ value: 'merge' as const, label: 'Merge into another stage' }] : []),
            ]}
          />
        </Field>
      )}
      {isMerge && (
        <Field label="Into" error={problems.into}>
          <Select
            {...form.bind('into')}
            placeholder="Choose a stage"
            options={others.map((other) => ({ value: other.id, label: other.name, icon: <StageIcon stages={stages} stage={other} /> }))}
          />
        </Field>
      )}
      {isRequired && (
        <p className="text-sm text-fg-2">
          {before.isInitial
            ? 'New leads start in this stage, so it can’t be retired. You can rename it.'
            : 'Patients move to this stage when their surgery is booked, so it can’t be retired. You can rename it.'}
        </p>
      )}
    </ActionDialog>
  )
}
