import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
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

const fields = [
  ['preparationEn', 'How to prepare, in English', 'en'],
  ['preparationFr', 'How to prepare, in French', 'fr'],
  ['aftercareEn', 'Aftercare, in English', 'en'],
  ['aftercareFr', 'Aftercare, in French', 'fr'],
] as const satisfies [keyof Instructions, string, string][]

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
      description="Patients read them in the portal: how to prepare while a surgery is booked, aftercare from its day on for half a year. An empty line begins a paragraph, and a line that begins with a hyphen is an item of a list."
      size="lg"
      form={form}
      action={{ label: 'Save instructions' }}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-4 md:grid-cols-2">
        {fields.map(([name, label, lang]) => (
          <Field key={name} label={label} error={form.problems[name]}>
            <Textarea {...form.text(name)} lang={lang} className="min-h-44" />
          </Field>
        ))}
      </div>
    </ActionDialog>
  )
}
