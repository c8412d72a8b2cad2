import { useRef } from 'react'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { fullName } from '../embed/contact-data.ts'
import { byId, type Directory } from '../embed/directory.ts'
import { conflictOf, explainConflict } from '../embed/refusals.ts'
import { placeAt, withMove } from './columns.ts'
import type { Board, Card } from './useBoard.ts'

/** Where a card goes, and what it is to look like there until the answer comes. */
type Target = Pick<Card, 'funnelStageId' | 'stageEnteredAt' | 'place' | 'lostReason'>

/**
 * Moves a card to another column: it is there at once, goes back with the reason when the move is refused, and can be undone. What someone
 * else did to the same patient in the meantime is never overwritten.
 */
export function useMove(board: Board, { stages, people }: Directory) {
  const clock = useClock()
  /** The moves of a card follow one another, each on top of the version that the one before made. */
  const latest = useRef(new Map<string, Promise<Card>>())

  async function put(card: Card, target: Target, said: string): Promise<Card | null> {
    const { update, order, hold, release, changed } = board
    const before = latest.current.get(card.id) ?? Promise.resolve(card)
    hold()
    update((columns) => withMove(columns, { ...card, ...target }, order, card.funnelStageId))
    const moving = before.then(async ({ version: made }) => {
      const version = Math.max(made, card.version)
      const { funnelStageId: funnelStage, lostReason } = target
      const updated = await client.contacts.update({ id: card.id, version, funnelStage, lostReason })
      const { stageEnteredAt } = updated
      return { ...card, ...target, version: updated.version, stageEnteredAt, place: placeAt(card.place, stageEnteredAt) }
    })
    latest.current.set(
      card.id,
      moving.catch(() => before),
    )
    try {
      const moved = await moving
      update((columns) => withMove(columns, moved, order, moved.funnelStageId))
      return moved
    } catch (error) {
      update((columns) => withMove(columns, card, order, target.funnelStageId))
      changed(new Set([card.id]))
      const conflict = conflictOf(error)
      if (conflict) toast.error(said, explainConflict(conflict, { people }, clock))
      else toast.error(said, messageOf(error), () => void put(card, target, said))
      return null
    } finally {
      release()
    }
  }

  return async function move(card: Card, stageId: string, lostReason: string | null): Promise<void> {
    const stage = byId(stages, stageId)
    if (!stage) return
    const now = new Date().toISOString()
    const target = { funnelStageId: stageId, stageEnteredAt: now, place: placeAt(card.place, now), lostReason }
    const moved = await put(card, target, `${fullName(card)} was not moved`)
    if (!moved) return
    toast.undoable(`${fullName(card)} moved to ${stage.name}`, () => {
      void put(moved, card, 'This was not undone').then((undone) => undone && toast.success('Undone'))
    })
  }
}
