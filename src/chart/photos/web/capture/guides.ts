import type { PhotoView, ShotList } from '../../rules.ts'

/** A standard outline of a view, which shows how far away and how the patient stands. */
export interface Guide {
  /** SVG. */
  viewBox: string
  path: string
  /** Drawings show the patient's left side. */
  isMirrored: boolean
}

const head = {
  viewBox: '14 12 72 92',
  front:
    'M50 22C62 22 71 32 71 48C71 64 62 80 50 80C38 80 29 64 29 48C29 32 38 22 50 22M41 77L40 90C36 95 20 97 12 112M59 77L60 90C64 95 80 97 88 112M42 48H47M53 48H58M50 50V60',
  oblique:
    'M48 22C61 21 72 31 72 47C72 60 66 71 57 79C53 82 48 82 44 79C39 75 34 66 32 57L30 50C28 36 35 23 48 22M45 79L44 90C40 95 22 98 14 112M63 73L65 90C70 95 82 98 88 112M38 48H42M49 48H54M42 50L40 60H43',
  side: 'M52 22C66 21 76 31 75 46C75 58 70 64 67 71L70 90C76 95 82 100 86 112M52 22C42 22 34 28 33 38C33 42 33 44 31 48L27 56C27 58 29 58 31 58L31 62L30 64L32 67L31 70C31 76 35 79 41 78L48 76C51 82 50 88 46 92C38 97 32 103 30 112',
}
const chest = {
  viewBox: '4 4 92 112',
  front:
    'M40 8L39 15C34 20 18 21 14 32C12 42 12 54 10 66M60 8L61 15C66 20 82 21 86 32C88 42 88 54 90 66M24 40C23 60 25 78 22 116M76 40C77 60 75 78 78 116M27 56C29 68 46 69 48 57M52 57C54 69 71 68 73 56M50 98V101',
  oblique:
    'M44 8L43 15C38 20 26 22 23 33C20 44 22 52 19 58C17 64 22 69 28 68M63 8L65 15C72 20 80 23 82 34C84 46 83 58 82 70M28 68C30 84 28 100 27 116M71 42C72 62 72 90 74 116M40 58C42 69 58 70 61 57',
  side: 'M44 8L43 15C38 20 36 26 34 36C31 46 24 54 24 60C25 67 33 67 35 69C37 84 35 100 36 116M57 8L58 15C66 20 68 30 68 42C68 60 62 84 66 116',
}
const body = {
  viewBox: '0 2 100 118',
  front:
    'M50 6C54 6 57 9 57 14C57 19 54 23 50 23C46 23 43 19 43 14C43 9 46 6 50 6M47 23V26C42 28 36 28 34 33C31 42 30 54 26 66M53 23V26C58 28 64 28 66 33C69 42 70 54 74 66M38 38C39 48 39 52 37 62C36 76 40 90 41 118M62 38C61 48 61 52 63 62C64 76 60 90 59 118M50 68L48 118M50 68L52 118',
  side: 'M49 6C54 6 57 9 57 14C57 19 54 23 50 23C46 23 43 19 43 15C43 9 45 6 49 6M47 23C46 27 43 29 42 36C40 46 43 52 42 62C41 76 45 90 45 112L41 118M54 22C55 27 59 30 59 38C59 48 57 52 60 62C62 72 57 90 56 118H41',
}
const hand = {
  viewBox: '6 22 74 98',
  path: 'M36 118C36 104 30 96 27 84C24 76 16 68 18 65C22 62 28 70 33 74C31 60 28 42 31 40C35 39 37 54 40 64C40 48 39 28 43 28C47 28 47 50 48 63C50 46 51 30 55 31C59 32 56 52 56 65C60 54 62 42 66 43C69 45 65 66 65 82C65 96 61 104 62 118',
}

/** The standard outline of a view; null for views of other things. */
export function guideOf(shotList: ShotList, view: PhotoView): Guide | null {
  const isMirrored = view.startsWith('right')
  const turn = /oblique/.test(view) ? 'oblique' : /side|profile/.test(view) ? 'side' : 'front'
  if (view === 'other') return null
  switch (shotList) {
    case 'face':
    case 'nose':
      return { viewBox: head.viewBox, path: head[turn], isMirrored }
    case 'breast':
      return { viewBox: chest.viewBox, path: chest[turn], isMirrored }
    case 'body':
      return { viewBox: body.viewBox, path: turn === 'side' ? body.side : body.front, isMirrored }
    case 'hands':
      // The thumb of a left hand is at the left of its palm.
      return { ...hand, isMirrored: view === 'left_hand_back' || view === 'right_hand_palm' }
    case 'other':
      return null
  }
}
