import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { ActionDialog } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Input } from '../../../ui/Input.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/useAction.ts'
import type { Tag } from '../contract.ts'

interface TagDialogProps {
  /** Null: a new one. */
  tag: Tag | null
  tags: readonly Tag[]
  /** How many patients have it. */
  count: number
  onClose: () => void
}

type What = 'rename' | 'merge' | 'delete'

const patients = (count: number) => (count === 1 ? '1 patient' : `${formatCount(count)} patients`)

/** A tag's name; or it goes, with another in its place or none. */
export default function TagDialog({ tag, tags, count, onClose }: TagDialogProps) {
  const cache = useQueryClient()
  const [name, setName] = useState(tag?.name ?? '')
  const [what, setWhat] = useState<What>('rename')
  const [into, setInto] = useState<string | null>(null)
  const action = useAction({
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.tags.key() })
      onClose()
    },
  })
  const others = tags.filter(({ id }) => id !== tag?.id)
  const wrong: Record<string, string> = {}
  if (what === 'rename' && name.trim() === '') wrong.name = 'Name is required'
  if (what === 'merge' && into === null) wrong.into = 'Choose a tag'
  const problems = action.problems(wrong)

  function submit() {
    const fields = { NAME_TAKEN: 'name', NOT_INTO: 'into' }
    if (!tag) return action.send({ wrong, fields, call: () => client.tags.create({ name }), done: (added) => `${added.name} was added` })
    if (what === 'merge') {
      const target = others.find(({ id }) => id === into)?.name ?? ''
      const call = () => client.tags.merge({ id: tag.id, into: into ?? '' })
      return action.send({ wrong, fields, call, done: (merged) => `${patients(merged.count)} now have ${target}` })
    }
    if (what === 'delete') return action.send({ call: () => client.tags.delete({ id: tag.id }), done: () => `${tag.name} was deleted` })
    return action.send({
      wrong,
      fields,
      call: () => client.tags.rename({ id: tag.id, name }),
      done: (saved) => `It is called ${saved.name}`,
    })
  }

  const labels = { rename: tag ? 'Save tag' : 'Add tag', merge: 'Merge tags', delete: 'Delete tag' }
  const hint = {
    rename: undefined,
    merge: `${patients(count)} get the other tag, and this one goes. It cannot be undone.`,
    delete: `It is taken off ${patients(count)}. It cannot be undone.`,
  }[what]
  return (
    <ActionDialog
      title={tag ? 'Edit tag' : 'Add tag'}
      action={action}
      problems={problems}
      label={labels[what]}
      busyLabel={what === 'delete' ? 'Deleting...' : what === 'merge' ? 'Merging...' : 'Saving...'}
      danger={what !== 'rename'}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Field label="Name" error={problems.name}>
        <Input
          value={name}
          maxLength={60}
          autoComplete="off"
          disabled={what !== 'rename'}
          onChange={({ target }) => action.typed(setName)(target.value)}
        />
      </Field>
      {tag && (
        <Field label="What to do" hint={hint}>
          <Select
            value={what}
            onValueChange={(next) => next && action.typed(setWhat)(next)}
            options={[
              { value: 'rename', label: 'Keep or rename it' },
              ...(others.length > 0 ? [{ value: 'merge' as const, label: 'Merge it into another tag' }] : []),
              { value: 'delete', label: 'Delete it' },
            ]}
          />
        </Field>
      )}
      {what === 'merge' && (
        <Field label="Into" error={problems.into}>
          <Select
            value={into}
            placeholder="Choose a tag"
            onValueChange={action.typed(setInto)}
            options={others.map((other) => ({ value: other.id, label: other.name }))}
          />
        </Field>
      )}
    </ActionDialog>
  )
}
