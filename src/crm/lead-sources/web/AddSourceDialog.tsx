import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, orpc } from '../../../ui/client/api.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { rememberNewKey } from './new-key.ts'

/** Adds a source and opens its page, which shows the new key once. */
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
    rememberNewKey(source.id, webhookKey)
    void cache.invalidateQueries({ queryKey: orpc.leadSources.key() })
    await navigate({ to: '/settings/$section/$item', params: { section: 'lead-sources', item: source.id } })
    return source
  }

  return (
    <ActionDialog title="Add source" form={form} action={{ label: 'Add source', busyLabel: 'Adding…' }} onClose={onClose}>
      <Field label="Name" error={form.problems.name} hint="Where patients heard about the practice: an ad, a website, a referral.">
        <Input {...form.text('name')} maxLength={100} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
