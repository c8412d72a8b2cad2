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
  /** Null: a new one. */
  stage: FunnelStage | null
  stages: readonly FunnelStage[]
  /** How many patients stand in it. */
  count: number
  onClose: () => void
}

type What = 'keep' | 'retire' | 'merge'

const patients = (count: number) => (count === 1 ? '1 patient' : `${formatCount(count)} patients`)

/** A stage's name, and whether it is used; one that is not may hand its patients to another. */
export default function StageDialog({ stage, stages, count, onClose }: StageDialogProps) {
  const cache = useQueryClient()
  // What was there when it was opened: anyone who changes it in the meantime is told of.
  const [before] = useState(stage)
  const stays = before !== null && isNeeded(stages, before)
  const others = stages.filter(({ id, isActive }) => isActive && id !== before?.id)
  const form = useActionForm({
    initial: {
      name: before?.name ?? '',
      isLost: false,
      what: (before && !before.isActive ? 'retire' : 'keep') as What,
      into: null as string | null,
    },
    check: ({ name, what, into }) => ({
      name: name.trim() === '' ? 'Name the stage' : undefined,
      into: what === 'merge' && into === null ? 'Choose a stage' : undefined,
    }),
    refusals: { NAME_TAKEN: 'name', NOT_INTO: 'into' },
    async send({ name, isLost, what, into }) {
      if (!before) return `${(await client.pipeline.addStage({ name, kind: isLost ? 'lost' : 'open' })).name} was added`
      if (what === 'merge') {
        const { total } = await client.pipeline.mergeStage({ id: before.id, into: into ?? '' })
        if (total === 0) return `${before.name} is no longer used`
        return `${patients(total)} go to ${others.find(({ id }) => id === into)?.name ?? ''}`
      }
      const change = { id: before.id, version: before.version, name, isActive: what === 'keep' }
      return `${(await client.pipeline.changeStage(change)).name} was saved`
    },
    done: (said) => said,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.pipeline.key() })
      onClose()
    },
  })
  const { problems } = form
  const { what } = form.values
  const isMerge = what === 'merge'

  const hint = {
    keep: undefined,
    retire: count > 0 ? `${patients(count)} stay in it until someone moves them.` : 'No patients are in it.',
    merge: 'It is no longer offered. Each move stands on the patient’s timeline, and all of it can be undone.',
  }[what]
  return (
    <ActionDialog
      title={before ? 'Edit stage' : 'Add stage'}
      form={form}
      action={{
        label: !before ? 'Add stage' : isMerge ? (count > 0 ? `Move ${patients(count)}` : 'Merge stage') : 'Save stage',
        busyLabel: isMerge ? 'Moving...' : 'Saving...',
      }}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={40} autoComplete="off" disabled={isMerge} />
      </Field>
      {!before && (
        <CheckboxLine {...form.tick('isLost')} hint="Patients moved there count as lost, and a reason is asked.">
          For lost leads
        </CheckboxLine>
      )}
      {before && !stays && (
        <Field label="Status" hint={hint}>
          <Select
            {...form.choice('what')}
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
      {stays && (
        <p className="text-sm text-fg-2">
          {before.isInitial
            ? 'New leads begin in this stage, so it stays. Its name is yours to choose.'
            : 'Booked surgeries bring patients to this stage, so it stays. Its name is yours to choose.'}
        </p>
      )}
    </ActionDialog>
  )
}
