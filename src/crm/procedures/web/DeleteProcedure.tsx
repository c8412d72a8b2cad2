import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { MoveDialog } from '../../bulk-changes/web/embed/MoveDialog.tsx'
import type { Procedure } from '../contract.ts'

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`

/** Deletes an unused procedure. One in use can be retired, or deleted after its patients are moved to another. */
export function DeleteProcedure({ procedure, onClose }: { procedure: Procedure; onClose: () => void }) {
  const { id, name, isActive } = procedure
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  // Disabled while deleting, because the event about the deletion may arrive while the dialog is still open.
  const uses = useQuery(orpc.procedures.uses.queryOptions({ input: { id }, enabled: !isBusy, staleTime: 0, gcTime: 0 }))
  const procedures = useQuery(orpc.procedures.list.queryOptions())
  const refetch = () => void cache.invalidateQueries({ queryKey: orpc.procedures.key() })

  async function remove() {
    setBusy(true)
    try {
      await client.procedures.delete({ id })
      toast.success(`${name} was deleted`)
      onClose()
    } catch (error) {
      toast.error(`${name} was not deleted`, messageOf(error))
      setBusy(false)
    }
    refetch()
  }

  const patients = uses.data?.patients ?? 0
  if (patients > 0) {
    return (
      <MoveDialog
        record={{ kind: 'procedure', name, users: counted(patients, 'patient', 'patients'), isOne: patients === 1 }}
        others={procedures.data?.filter((other) => other.isActive && other.id !== id) ?? []}
        onMove={(to) => client.procedures.move({ id, to })}
        onRetire={isActive ? () => client.procedures.update({ ...procedure, isActive: false }) : undefined}
        onDone={refetch}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      action={{ label: 'Delete procedure', busyLabel: 'Deleting…', isDanger: true, isUnready: !uses.data }}
      isBusy={isBusy}
      onConfirm={() => void remove()}
    >
      {uses.error ? messageOf(uses.error) : uses.data ? describeDeletion(uses.data) : 'Checking which patients have it…'}
    </ConfirmDialog>
  )
}

function describeDeletion({ surgeries, checklistItems }: { surgeries: number; checklistItems: number }): string {
  return [
    'No patient has it. Its price list',
    checklistItems > 0 && ` and ${counted(checklistItems, 'checklist item', 'checklist items')}`,
    checklistItems > 0 ? ' are deleted with it.' : ' is deleted with it.',
    surgeries > 0 && ` ${counted(surgeries, 'surgery keeps', 'surgeries keep')} its name.`,
  ]
    .filter(Boolean)
    .join('')
}
