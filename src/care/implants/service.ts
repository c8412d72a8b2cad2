export { countOpen, implantsOf } from './read.ts'
export { cardTexts } from './texts.ts'
export { cardResponse, renderCard } from './card.ts'
