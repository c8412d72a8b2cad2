import { useQueryClient } from '@tanstack/react-query'
import { languageNames } from '../../../../shared/translations.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { inboxMessages } from '../../contract.ts'
import { maxTextLength } from '../../text-rules.ts'
import type { QuickReplyData } from '../inbox-data.ts'

const languages = (['en', 'fr'] as const).map((value) => ({ value, label: languageNames[value] }))

/** Writes, changes or deletes a quick reply. */
export default function QuickReplyDialog({ reply, onClose }: { reply: QuickReplyData | null; onClose: () => void }) {
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.inbox.quickReplies.key() })
  const form = useActionForm({
    initial: { name: reply?.name ?? '', language: reply?.language ?? ('en' as const), text: reply?.text ?? '' },
    check: ({ name, text }) => ({
      name: name.trim() === '' ? 'Name is required' : undefined,
      text: text.trim() === '' ? inboxMessages.words : undefined,
    }),
    send: ({ name, language, text }) =>
      client.inbox.saveQuickReply({ ...(reply && { id: reply.id }), name: name.trim(), language, text: text.trim() }),
    refusals: { NAME_TAKEN: 'name' },
    onDone() {
      void refresh()
      toast.success('Quick reply saved')
      onClose()
    },
    failed: (message) => toast.error('The quick reply was not saved', message),
  })
  async function remove() {
    try {
      await client.inbox.deleteQuickReply({ id: reply!.id })
      await refresh()
      toast.success('Quick reply deleted')
      onClose()
    } catch (error) {
      toast.error('The quick reply was not deleted', messageOf(error))
    }
  }
  return (
    <ActionDialog
      title={reply ? 'Edit quick reply' : 'New quick reply'}
      form={form}
      action={{ label: 'Save quick reply' }}
      footer={{
        start: reply && (
          <Button size="lg" variant="danger" disabled={form.isBusy} className="mr-auto" onClick={() => void remove()}>
            Delete
          </Button>
        ),
      }}
      onClose={onClose}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Name" hint="Type / and the name to insert it, as in /parking" error={form.problems.name}>
          <Input {...form.text('name')} maxLength={60} />
        </Field>
        <Field label="Language" error={form.problems.language}>
          <Select value={form.values.language} onValueChange={(language) => form.set({ language: language ?? 'en' })} options={languages} />
        </Field>
      </div>
      <Field label="Message" error={form.problems.text}>
        <Textarea rows={5} {...form.text('text')} maxLength={maxTextLength} />
      </Field>
    </ActionDialog>
  )
}
