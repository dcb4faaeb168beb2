/** The table in small: the bank above, the player's hands below, their bet at the left. */

import faces from '../../assets/generated/cards-2-standard-120.webp?url';
import frames from '../../assets/generated/cards-120.json' with { type: 'json' };
import type { ReceiptRound } from './judge.ts';

export type Table = Pick<ReceiptRound, 'bank' | 'playerSide' | 'hands'>;

export const tableOfStep = ([, , , , , bank, playerSide, hands]: ReceiptRound['steps'][number]): Table => ({
  bank,
  playerSide,
  hands,
});

const cardsOf = (text: string): readonly string[] => text.match(/../g) ?? [];
/** As it is written: '10♦'. */
const nameOf = (card: string): string =>
  `${card[0] === 'T' ? '10' : card[0]}${'♠♥♦♣'['SHDC'.indexOf(card[1] ?? '')] ?? '?'}`;

/** How much of a card stands out under the next one, so that a row keeps to its width. */
const stepOf = (count: number, width: number, room: number): number =>
  count < 2 ? width : Math.min(width * 0.8, (room - width) / (count - 1));

function Cards({
  text,
  width,
  room,
}: {
  readonly text: string;
  readonly width: number;
  readonly room: number;
}) {
  const cards = cardsOf(text);
  const step = stepOf(cards.length, width, room);
  return (
    <span class="cards" role="img" aria-label={cards.map(nameOf).join(' ')}>
      {cards.map((card, index) => (
        <Card key={index} card={card} width={width} left={index === 0 ? 0 : step - width} />
      ))}
    </span>
  );
}

function Card({
  card,
  width,
  left,
}: {
  readonly card: string;
  readonly width: number;
  readonly left: number;
}) {
  const frame = (frames.frames as Readonly<Record<string, { x: number; y: number; w: number; h: number }>>)[
    card
  ];
  const size = { width: `${width}px`, height: `${width * 1.4}px`, marginLeft: `${left}px` };
  if (frame === undefined) return <span class="card card-back" style={size} />;
  const scale = width / frame.w;
  return (
    <span
      class="card"
      style={{
        ...size,
        backgroundImage: `url(${faces})`,
        backgroundSize: `${frames.width * scale}px ${frames.height * scale}px`,
        backgroundPosition: `${-frame.x * scale}px ${-frame.y * scale}px`,
      }}
    />
  );
}

/** Pixels that a row of cards has beside the chip. */
const ROOM = 190;

export function Felt(props: {
  readonly table: Table;
  readonly bankName: string;
  readonly sideName: string;
  /** Null: the reader's own, which needs no name. */
  readonly handName: (seat: number) => string | null;
  readonly staked: string;
  readonly said: { readonly text: string; readonly isLuck: boolean } | null;
}) {
  const { table, bankName, sideName, handName, staked, said } = props;
  const { bank, playerSide, hands } = table;
  const many = hands.length > 1;
  return (
    <div class="felt">
      <p class="place">{bankName}</p>
      <Cards text={bank} width={62} room={ROOM} />
      <svg class="arc" viewBox="0 0 300 40" aria-hidden="true">
        <path d="M0 4Q150 66 300 4" fill="none" stroke="#d9b36c" />
      </svg>
      {playerSide !== '' && (
        <>
          <p class="place">{sideName}</p>
          <Cards text={playerSide} width={62} room={ROOM} />
        </>
      )}
      <div class="near">
        <div class="bet">
          <svg viewBox="-30 -30 60 60" aria-hidden="true">
            <circle r="29" fill="none" stroke="#d9b36c" />
            <circle r="22" fill="#6a3fa0" />
            <circle r="19" fill="none" stroke="#fff" stroke-width="6" stroke-dasharray="7.9 7.02" />
            <circle r="14" fill="#6a3fa0" stroke="#fff" />
          </svg>
          <b>{staked}</b>
        </div>
        <div class="hands">
          {hands.map((hand, index) => {
            const [seat = '', cards = ''] = hand.split(':');
            const name = handName(Number(seat));
            return (
              <div key={index}>
                {name !== null && <p class="place">{name}</p>}
                <Cards text={cards} width={many ? 46 : 66} room={many ? 90 : ROOM} />
              </div>
            );
          })}
        </div>
        {said !== null && <p class={said.isLuck ? 'said luck' : 'said'}>{said.text}</p>}
      </div>
    </div>
  );
}
