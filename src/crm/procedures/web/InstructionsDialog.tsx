import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import type { Language } from '../../../shared/translations.ts'
import type { Instructions, Procedure } from '../contract.ts'

interface InstructionsDialogProps {
  procedure: Procedure
  onClose: () => void
}

/** What patients read in the portal before and after a procedure, in both languages. */
export default function InstructionsDialog({ procedure, onClose }: InstructionsDialogProps) {
  const { data, error, refetch, isFetching } = useQuery(
    orpc.procedures.instructions.queryOptions({ input: { id: procedure.id }, staleTime: Infinity, gcTime: 0 }),
  )
  if (data) return <InstructionsForm procedure={procedure} written={data} onClose={onClose} />
  return (
    <Dialog title={`Instructions: ${procedure.name}`} size="lg" onClose={onClose}>
      <DialogBody>
        {error ? (
          <ErrorState title="Couldn’t load the instructions" onRetry={() => void refetch()} retrying={isFetching}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={4} rowClassName="h-24" />
        )}
      </DialogBody>
    </Dialog>
  )
}

const sections = [
  {
    title: 'How to prepare',
    hint: 'Patients read this while a surgery is booked.',
    fields: { en: 'preparationEn', fr: 'preparationFr' },
  },
  {
    title: 'Aftercare',
    hint: 'Patients read this from the day of surgery, for six months.',
    fields: { en: 'aftercareEn', fr: 'aftercareFr' },
  },
] as const satisfies { title: string; hint: string; fields: Record<Language, keyof Instructions> }[]

function InstructionsForm({ procedure, written, onClose }: InstructionsDialogProps & { written: Instructions & { version: number } }) {
  const cache = useQueryClient()
  const form = useActionForm({
    initial: {
      preparationEn: written.preparationEn ?? '',
      preparationFr: written.preparationFr ?? '',
      aftercareEn: written.aftercareEn ?? '',
      aftercareFr: written.aftercareFr ?? '',
    },
    send: (values) => client.procedures.setInstructions({ ...values, id: procedure.id, version: written.version }),
    done: `Instructions for ${procedure.name} saved`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.procedures.instructions.key() })
      onClose()
    },
  })
  return (
    <ActionDialog
      title={`Instructions: ${procedure.name}`}
      description="Patients read these in the portal. An empty line starts a new paragraph. A line that starts with a hyphen becomes a list item."
      size="lg"
      form={form}
      action={{ label: 'Save instructions' }}
      onClose={onClose}
    >
      {sections.map(({ title, hint, fields }) => (
        <div key={title} role="group" aria-label={title} className="flex flex-col gap-3 not-first:pt-2">
          <div>
            <h3 className="text-title font-semibold text-fg">{title}</h3>
            <p className="text-sm text-fg-3">{hint}</p>
          </div>
          <div className="grid gap-4 md:grid-cols-2">
            {(['en', 'fr'] as const).map((lang) => (
              <Field key={lang} label={`${title} (${lang === 'en' ? 'English' : 'French'})`} optional error={form.problems[fields[lang]]}>
                <Textarea {...form.text(fields[lang])} lang={lang} className="min-h-44" />
              </Field>
            ))}
          </div>
        </div>
      ))}
    </ActionDialog>
  )
}
