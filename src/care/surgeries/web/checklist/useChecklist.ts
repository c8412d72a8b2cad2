import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { refusalOf } from '../../../calendar/web/embed/refusal.ts'
import { type ItemData, type SurgeryData, surgeryKind } from '../surgery-data.ts'
import { useBookingCache } from '../../../calendar/web/embed/booking/bookings.ts'

/** What can be done with the items of a surgery. What is refused is put back, and said. */
export function useChecklist(surgery: SurgeryData) {
  const { id } = surgery
  const { show, put, refresh } = useBookingCache<SurgeryData>(surgeryKind)
  const [busy, setBusy] = useState<string | null>(null)

  /** Answers whether it was done. */
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
      const failed = `“${item.words}” is ${item.isDone ? 'still done' : 'still open'}`
      void send(item.id, () => client.surgeries.changeItem({ id, itemId: item.id, isDone }), failed)
    },
    note: (item: ItemData, note: string | null) =>
      send(item.id, () => client.surgeries.changeItem({ id, itemId: item.id, note }), 'The note was not saved'),
    /** With Undo, which brings it back as it was, its tick as one of now. */
    remove: async (item: ItemData) => {
      const removed = await send(item.id, () => client.surgeries.removeItem({ id, itemId: item.id }), 'The item stays on the checklist')
      if (!removed) return
      const { kind, words, ownerRole, dueDays, isRequired, note } = item
      const restore = async () => {
        const after = await client.surgeries.addItem({ id, kind, words, ownerRole, dueDays, isRequired, note })
        const back = after.items.find((one) => one.kind === kind && one.words === words)
        return back && item.isDone && !item.isAutomatic ? client.surgeries.changeItem({ id, itemId: back.id, isDone: true }) : after
      }
      toast.undoable(`“${words}” is off the checklist`, () => void send(item.id, restore, 'It was not put back'))
    },
  }
}
