import { client } from '../../../../ui/client/api.ts'
import { type SurgeryData, surgeryKind } from '../surgery-data.ts'
import { useBookingCache } from '../../../calendar/web/embed/booking/bookings.ts'
import { ItemDialog } from './ItemDialog.tsx'
import { blankItem } from './item-values.ts'

/** Adds an item to this surgery only. */
export default function AddItemDialog({ surgery, onClose }: { surgery: SurgeryData; onClose: () => void }) {
  const { put, refresh } = useBookingCache<SurgeryData>(surgeryKind)
  return (
    <ItemDialog
      title="Add to the checklist"
      label="Add item"
      busyLabel="Adding…"
      initial={blankItem}
      onSave={async (item) => {
        put(await client.surgeries.addItem({ ...item, id: surgery.id }))
        refresh()
      }}
      onClose={onClose}
    />
  )
}
