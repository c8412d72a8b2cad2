import { useRef } from 'react'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { fullName } from '../embed/contact-data.ts'
import { byId, type Directory } from '../embed/directory.ts'
import { conflictOf, explainConflict } from '../embed/refusals.ts'
import { placeAt, withMove } from './columns.ts'
import type { Board, Card } from './useBoard.ts'

/** The target of a move, with the values to show until the server responds. */
type Target = Pick<Card, 'funnelStageId' | 'stageEnteredAt' | 'place' | 'lostReason'>

/**
 * Moves a card to another column, optimistically. A refused move reverts with a toast that gives the reason, and a move can be undone.
 * Never overwrites someone else's changes to the same patient.
 */
export function useMove(board: Board, { stages, people }: Directory) {
  const clock = useClock()
  /** The last move per card: moves of a card run one after another, each based on the version of the previous one. */
  const latest = useRef(new Map<string, Promise<Card>>())

  async function apply(card: Card, target: Target, failureTitle: string): Promise<Card | null> {
    const { update, order, hold, release, changed } = board
    const before = latest.current.get(card.id) ?? Promise.resolve(card)
    hold()
    update((columns) => withMove(columns, { ...card, ...target }, order, card.funnelStageId))
    const moving = before.then(async ({ version: previousVersion }) => {
      const version = Math.max(previousVersion, card.version)
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
      if (conflict) toast.error(failureTitle, explainConflict(conflict, { people }, clock))
      else toast.error(failureTitle, messageOf(error), () => void apply(card, target, failureTitle))
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
    const moved = await apply(card, target, `${fullName(card)} was not moved`)
    if (!moved) return
    toast.undoable(`${fullName(card)} moved to ${stage.name}`, () => {
      void apply(moved, card, 'Couldn’t undo this').then((undone) => undone && toast.success('Undone'))
    })
  }
}
