import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
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
  const others = tags.filter(({ id }) => id !== tag?.id)
  const form = useActionForm({
    initial: { name: tag?.name ?? '', what: 'rename' as What, into: null as string | null },
    check: ({ name, what, into }) => ({
      name: what === 'rename' && name.trim() === '' ? 'Name is required' : undefined,
      into: what === 'merge' && into === null ? 'Choose a tag' : undefined,
    }),
    refusals: { NAME_TAKEN: 'name', NOT_INTO: 'into' },
    async send({ name, what, into }) {
      if (!tag) return `${(await client.tags.create({ name })).name} was added`
      if (what === 'rename') return `It is called ${(await client.tags.rename({ id: tag.id, name })).name}`
      if (what === 'delete') {
        await client.tags.delete({ id: tag.id })
        return `${tag.name} was deleted`
      }
      const merged = await client.tags.merge({ id: tag.id, into: into ?? '' })
      return `${patients(merged.count)} now have ${others.find(({ id }) => id === into)?.name ?? ''}`
    },
    done: (said) => said,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.tags.key() })
      onClose()
    },
  })
  const { problems } = form
  const { what } = form.values

  const labels = { rename: tag ? 'Save tag' : 'Add tag', merge: 'Merge tags', delete: 'Delete tag' }
  const hint = {
    rename: undefined,
    merge: `${patients(count)} get the other tag, and this one goes. It cannot be undone.`,
    delete: `It is taken off ${patients(count)}. It cannot be undone.`,
  }[what]
  return (
    <ActionDialog
      title={tag ? 'Edit tag' : 'Add tag'}
      form={form}
      action={{
        label: labels[what],
        busyLabel: what === 'delete' ? 'Deleting...' : what === 'merge' ? 'Merging...' : 'Saving...',
        isDanger: what !== 'rename',
      }}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={60} autoComplete="off" disabled={what !== 'rename'} />
      </Field>
      {tag && (
        <Field label="What to do" hint={hint}>
          <Select
            {...form.choice('what')}
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
            {...form.bind('into')}
            placeholder="Choose a tag"
            options={others.map((other) => ({ value: other.id, label: other.name }))}
          />
        </Field>
      )}
    </ActionDialog>
  )
}
