import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Template } from '../../checklist-contract.ts'
import type { CaseProcedure } from '../../rules.ts'
import { refusalOf } from '../../../calendar/web/embed/refusal.ts'
import { ItemDialog } from './ItemDialog.tsx'
import { blankItem, itemValuesOf } from './item-values.ts'

interface TemplateDialogProps {
  /** Null for a new item. */
  template: Template | null
  procedures: readonly CaseProcedure[]
  onClose: () => void
}

/** A checklist item for all new surgeries or those with a procedure. */
export default function TemplateDialog({ template, procedures, onClose }: TemplateDialogProps) {
  const cache = useQueryClient()
  const [procedureId, setProcedureId] = useState(template?.procedureId ?? null)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.surgeries.templates.key() })

  /** Deletes immediately, with Undo. */
  async function remove({ id, ...given }: Template) {
    try {
      await client.surgeries.deleteTemplate({ id })
    } catch (error) {
      const refusal = refusalOf(error, 'surgery')
      toast.error(`Couldn’t delete “${given.words}”`, refusal.kind === 'message' ? refusal.message : undefined)
      return
    }
    onClose()
    await refresh()
    toast.undoable(`“${given.words}” deleted for new surgeries`, () => {
      void client.surgeries.addTemplate(given).then(refresh, (error: unknown) => {
        const refusal = refusalOf(error, 'surgery')
        toast.error('Couldn’t restore the item', refusal.kind === 'message' ? refusal.message : undefined)
      })
    })
  }

  return (
    <ItemDialog
      title={template ? 'Edit checklist item' : 'Add checklist item'}
      label={template ? 'Save item' : 'Add item'}
      busyLabel="Saving…"
      initial={template ? itemValuesOf(template) : blankItem}
      onSave={async (item) => {
        if (template) await client.surgeries.changeTemplate({ ...item, procedureId, id: template.id })
        else await client.surgeries.addTemplate({ ...item, procedureId })
        await refresh()
        toast.success(template ? 'Checklist item saved' : 'Checklist item added')
      }}
      onClose={onClose}
      before={
        <Field label="Procedure">
          <Select
            value={procedureId}
            onValueChange={setProcedureId}
            options={procedures.map(({ id, name }) => ({ value: id, label: name }))}
            noneLabel="Every surgery"
          />
        </Field>
      }
      extra={
        template && (
          <Button size="lg" variant="danger" icon={<Trash2 />} className="mr-auto" onClick={() => void remove(template)}>
            Delete item
          </Button>
        )
      }
    />
  )
}
