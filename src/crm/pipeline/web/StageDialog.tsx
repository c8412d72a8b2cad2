import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/Checkbox.tsx'
import { ActionDialog } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/useAction.ts'
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
  const [name, setName] = useState(before?.name ?? '')
  const [kind, setKind] = useState<'open' | 'lost'>('open')
  const [what, setWhat] = useState<What>(before && !before.isActive ? 'retire' : 'keep')
  const [into, setInto] = useState<string | null>(null)
  const action = useAction({
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.pipeline.key() })
      onClose()
    },
  })
  const stays = before !== null && isNeeded(stages, before)
  const isMerge = what === 'merge'
  const wrong: Record<string, string> = {}
  if (name.trim() === '') wrong.name = 'Name the stage'
  if (isMerge && into === null) wrong.into = 'Choose a stage'
  const problems = action.problems(wrong)
  const others = stages.filter(({ id, isActive }) => isActive && id !== before?.id)

  async function submit() {
    const fields = { NAME_TAKEN: 'name', NOT_INTO: 'into' }
    if (!before) {
      const call = () => client.pipeline.addStage({ name, kind })
      return action.send({ wrong, fields, call, done: (added) => `${added.name} was added` })
    }
    if (isMerge) {
      const target = others.find(({ id }) => id === into)?.name ?? ''
      const call = () => client.pipeline.mergeStage({ id: before.id, into: into ?? '' })
      const done = ({ total }: { total: number }) =>
        total === 0 ? `${before.name} is not used any more` : `${patients(total)} go to ${target}`
      return action.send({ wrong, fields, call, done })
    }
    const call = () => client.pipeline.changeStage({ id: before.id, version: before.version, name, isActive: what === 'keep' })
    return action.send({ wrong, fields, call, done: (saved) => `${saved.name} was saved` })
  }

  const hint = {
    keep: undefined,
    retire: count > 0 ? `${patients(count)} stay in it until someone moves them.` : 'No patients are in it.',
    merge: 'It is not offered any more. Each move stands on the patient’s timeline, and all of it can be undone.',
  }[what]
  return (
    <ActionDialog
      title={before ? 'Edit stage' : 'Add stage'}
      action={action}
      problems={problems}
      label={!before ? 'Add stage' : isMerge ? (count > 0 ? `Move ${patients(count)}` : 'Merge stage') : 'Save stage'}
      busyLabel={isMerge ? 'Moving...' : 'Saving...'}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Field label="Name" error={problems.name}>
        <Input
          value={name}
          maxLength={40}
          autoComplete="off"
          disabled={isMerge}
          onChange={({ target }) => action.typed(setName)(target.value)}
        />
      </Field>
      {!before && (
        <CheckboxLine
          checked={kind === 'lost'}
          onCheckedChange={(isLost) => setKind(isLost ? 'lost' : 'open')}
          hint="Patients moved there count as lost, and a reason is asked."
        >
          For lost leads
        </CheckboxLine>
      )}
      {before && !stays && (
        <Field label="Status" hint={hint}>
          <Select
            value={what}
            onValueChange={(next) => next && action.typed(setWhat)(next)}
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
            value={into}
            placeholder="Choose a stage"
            onValueChange={action.typed(setInto)}
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
