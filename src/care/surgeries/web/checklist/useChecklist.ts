import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { refusalOf } from '../../../calendar/web/embed/refusal.ts'
import { type ItemData, type SurgeryData, surgeryKind } from '../surgery-data.ts'
import { useBookingCache } from '../../../calendar/web/embed/booking/bookings.ts'

/** Actions on checklist items. A refused change is reverted with an error toast. */
export function useChecklist(surgery: SurgeryData) {
  const { id } = surgery
  const { show, put, refresh } = useBookingCache<SurgeryData>(surgeryKind)
  const [busy, setBusy] = useState<string | null>(null)

  /** Returns whether the action succeeded. */
  async function send(itemId: string, work: () => Promise<SurgeryData>, failed: string): Promise<boolean> {
    setBusy(itemId)
    try {
      put(await work())
      return true
    } catch (error) {
      const refusal = refusalOf(error, 'surgery')
      toast.error(failed, refusal.kind === 'message' ? refusal.message : undefined)
      return false
    } finally {
      setBusy(null)
      refresh()
    }
  }

  return {
    busy,
    tick: (item: ItemData, isDone: boolean) => {
      show(id, { items: surgery.items.map((one) => (one.id === item.id ? { ...one, isDone } : one)) })
      const failed = `Couldn’t ${item.isDone ? 'untick' : 'tick'} “${item.words}”`
      void send(item.id, () => client.surgeries.changeItem({ id, itemId: item.id, isDone }), failed)
    },
    note: (item: ItemData, note: string | null) =>
      send(item.id, () => client.surgeries.changeItem({ id, itemId: item.id, note }), 'Couldn’t save the note'),
    /** Removes an item, with Undo. A restored tick has the current date and user. */
    remove: async (item: ItemData) => {
      const removed = await send(item.id, () => client.surgeries.removeItem({ id, itemId: item.id }), 'Couldn’t remove the item')
      if (!removed) return
      const { kind, words, ownerRole, dueDays, isRequired, note } = item
      const restore = async () => {
        const after = await client.surgeries.addItem({ id, kind, words, ownerRole, dueDays, isRequired, note })
        const back = after.items.find((one) => one.kind === kind && one.words === words)
        return back && item.isDone && !item.isAutomatic ? client.surgeries.changeItem({ id, itemId: back.id, isDone: true }) : after
      }
      toast.undoable(`“${words}” removed`, () => void send(item.id, restore, 'Couldn’t restore the item'))
    },
  }
}
