import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, orpc } from '../../../ui/client/api.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { keepKey } from './made-key.ts'

/** A new source; its page comes next, with the key that is shown once. */
export default function AddSourceDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const form = useActionForm({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Name is required' : undefined }),
    refusals: { NAME_TAKEN: 'name' },
    send: add,
    done: (source) => `${source.name} was added`,
    onDone: onClose,
  })

  async function add(given: { name: string }) {
    const { webhookKey, ...source } = await client.leadSources.create(given)
    keepKey(source.id, webhookKey)
    void cache.invalidateQueries({ queryKey: orpc.leadSources.key() })
    await navigate({ to: '/settings/$section/$item', params: { section: 'lead-sources', item: source.id } })
    return source
  }

  return (
    <ActionDialog title="Add source" form={form} action={{ label: 'Add source', busyLabel: 'Adding...' }} onClose={onClose}>
      <Field label="Name" error={form.problems.name} hint="Where patients heard of the practice: an advertisement, a website, a colleague.">
        <Input {...form.text('name')} maxLength={100} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
