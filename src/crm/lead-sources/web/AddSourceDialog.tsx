import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { ActionDialog } from '../../../ui/ActionDialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { useAction } from '../../../ui/useAction.ts'
import { keepKey } from './made-key.ts'

/** A new source; its page comes next, with the key that is shown once. */
export default function AddSourceDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const action = useAction({ onDone: onClose })
  const wrong: Record<string, string> = name.trim() === '' ? { name: 'Name is required' } : {}
  const problems = action.problems(wrong)

  async function add() {
    const { webhookKey, ...source } = await client.leadSources.create({ name })
    keepKey(source.id, webhookKey)
    void cache.invalidateQueries({ queryKey: orpc.leadSources.key() })
    await navigate({ to: '/settings/$section/$item', params: { section: 'lead-sources', item: source.id } })
    return source
  }

  return (
    <ActionDialog
      title="Add source"
      action={action}
      problems={problems}
      label="Add source"
      busyLabel="Adding..."
      onClose={onClose}
      onSubmit={() => void action.send({ wrong, fields: { NAME_TAKEN: 'name' }, call: add, done: (source) => `${source.name} was added` })}
    >
      <Field label="Name" error={problems.name} hint="Where patients heard of the practice: an advertisement, a website, a colleague.">
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => action.typed(setName)(target.value)} />
      </Field>
    </ActionDialog>
  )
}
