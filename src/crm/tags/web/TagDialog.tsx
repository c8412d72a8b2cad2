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
  /** Null for a new tag. */
  tag: Tag | null
  tags: readonly Tag[]
  /** The number of patients with the tag. */
  count: number
  onClose: () => void
}

type TagAction = 'rename' | 'merge' | 'delete'

const patients = (count: number) => (count === 1 ? '1 patient' : `${formatCount(count)} patients`)

/** Adds, renames, merges or deletes a tag. */
export default function TagDialog({ tag, tags, count, onClose }: TagDialogProps) {
  const cache = useQueryClient()
  const others = tags.filter(({ id }) => id !== tag?.id)
  const form = useActionForm({
    initial: { name: tag?.name ?? '', what: 'rename' as TagAction, into: null as string | null },
    check: ({ name, what, into }) => ({
      name: what === 'rename' && name.trim() === '' ? 'Name is required' : undefined,
      into: what === 'merge' && into === null ? 'Choose a tag' : undefined,
    }),
    refusals: { NAME_TAKEN: 'name', INVALID_TARGET: 'into' },
    async send({ name, what, into }) {
      if (!tag) return `${(await client.tags.create({ name })).name} was added`
      if (what === 'rename') return `Tag renamed to ${(await client.tags.rename({ id: tag.id, name })).name}`
      if (what === 'delete') {
        await client.tags.delete({ id: tag.id })
        return `${tag.name} was deleted`
      }
      const merged = await client.tags.merge({ id: tag.id, into: into ?? '' })
      return `${patients(merged.count)} now have ${others.find(({ id }) => id === into)?.name ?? ''}`
    },
    done: (message) => message,
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
    merge: `${patients(count)} get the other tag, and this tag is deleted. This cannot be undone.`,
    delete: `It is removed from ${patients(count)}. This cannot be undone.`,
  }[what]
  return (
    <ActionDialog
      title={tag ? 'Edit tag' : 'Add tag'}
      form={form}
      action={{
        label: labels[what],
        busyLabel: what === 'delete' ? 'Deleting…' : what === 'merge' ? 'Merging…' : 'Saving…',
        isDanger: what !== 'rename',
      }}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={60} autoComplete="off" disabled={what !== 'rename'} />
      </Field>
      {tag && (
        <Field label="Action" hint={hint}>
          <Select
            {...form.choice('what')}
            options={[
              { value: 'rename', label: 'Rename' },
              ...(others.length > 0 ? [{ value: 'merge' as const, label: 'Merge into another tag' }] : []),
              { value: 'delete', label: 'Delete' },
            ]}
          />
        </Field>
      )}
      {what === 'merge' && (
        <Field label="Merge into" error={problems.into}>
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
