/**
 * The list of events: number, class, names, the exception code of SAS 6.02 that an adapter would
 * send. Which entry of the ledger is which event stands in event-codes.ts; docs/events.md and
 * locales/<language>/events.json are made from both.
 *
 * Class: I information · N notice · W warning · F fault. A code with a C is what ends or undoes the
 * event of its number. The codes of SAS are those of a constants file that has slips: to be checked
 * against the standard before an adapter sends them. Null: it has none.
 */
import type { Language } from '../engine/table/inputs.ts';

export type EventClass = 'I' | 'N' | 'W' | 'F';
type Names = Readonly<Record<Language, string>>;

interface Named {
  readonly class: EventClass;
  readonly sas: string | null;
  readonly name: Names;
}
interface Single extends Named {
  readonly end: null;
}
interface Pair extends Named {
  readonly end: Named;
}

type Words = readonly [zh: string, pt: string, en: string];
const named = (cls: EventClass, sas: string | null, [zh, pt, en]: Words): Named => ({
  class: cls,
  sas,
  name: { 'zh-Hant': zh, pt, en },
});
const one = (cls: EventClass, sas: string | null, ...words: Words): Single => ({
  ...named(cls, sas, words),
  end: null,
});
const pair = (
  cls: EventClass,
  sas: string | null,
  words: Words,
  endClass: EventClass,
  endSas: string | null,
  endWords: Words,
): Pair => ({ ...named(cls, sas, words), end: named(endClass, endSas, endWords) });

// biome-ignore format: a list is read by its rows
export const EVENTS = {
  // power and machine
  101: one('N', '17', '接通電源／啟動', 'Arranque', 'Power applied, start'),
  102: one('W', '18', '斷電', 'Falta de energia', 'Power lost'),
  103: one('W', '18', '局中斷電', 'Falta de energia em jogo', 'Power lost during a round'),
  104: one('N', null, '恢復運作', 'Retoma', 'Program resumed, state restored'),
  105: one('N', null, '正常關機', 'Encerramento', 'Orderly shutdown'),
  106: pair('F', '20', ['自檢失敗', 'Autoteste falhou', 'Self-test failed'], 'N', null, ['自檢通過', 'Autoteste ok', 'Self-test passed']),
  107: pair('W', null, ['使用後備電源', 'Em bateria', 'On battery'], 'N', null, ['恢復市電', 'Energia reposta', 'Mains back']),
  108: pair('W', '3B', ['時鐘異常', 'Relógio', 'Clock jump'], 'N', null, ['時鐘回復', 'Relógio reposto', 'Clock in order']),
  109: pair('W', null, ['後備電源失聯', 'UPS sem ligação', 'UPS disconnected'], 'N', null, ['後備電源連線', 'UPS ligada', 'UPS connected']),
  110: pair('F', '18', ['後備電池耗盡', 'Bateria da UPS no fim', 'UPS battery at its end'], 'N', null, ['後備電池已充電', 'Bateria da UPS carregada', 'UPS battery charged']),
  111: pair('N', null, ['後備電池須更換', 'Bateria da UPS a substituir', 'UPS battery to be replaced'], 'N', null, ['後備電池已更換', 'Bateria da UPS substituída', 'UPS battery replaced']),
  // doors and access
  201: one('F', '11', '主門打開', 'Porta principal aberta', 'Main door open'),
  202: one('N', '12', '主門關閉', 'Porta principal fechada', 'Main door closed'),
  203: one('N', '13', '鈔箱門打開', 'Porta do cofre aberta', 'Drop door open'),
  204: one('N', '14', '鈔箱門關閉', 'Porta do cofre fechada', 'Drop door closed'),
  205: one('F', '15', '主機艙打開', 'Área lógica aberta', 'Logic area open'),
  206: one('F', '16', '主機艙關閉', 'Área lógica fechada', 'Logic area closed'),
  207: one('F', '19', '入鈔機門打開', 'Porta do aceitador aberta', 'Acceptor door open'),
  208: one('F', '1A', '入鈔機門關閉', 'Porta do aceitador fechada', 'Acceptor door closed'),
  209: pair('F', '1B', ['鈔箱取出', 'Cofre retirado', 'Cash box removed'], 'N', '1C', ['鈔箱裝回', 'Cofre colocado', 'Cash box back']),
  210: one('N', '1C', '鈔箱裝回', 'Cofre colocado', 'Cash box installed'),
  211: one('F', '1D', '下門打開', 'Porta inferior aberta', 'Cabinet door open'),
  212: one('F', '1E', '下門關閉', 'Porta inferior fechada', 'Cabinet door closed'),
  213: pair('F', null, ['牌靴蓋打開', 'Tampa do «shoe» aberta', 'Shoe cover open'], 'F', null, ['牌靴蓋關閉', 'Tampa do «shoe» fechada', 'Shoe cover closed']),
  214: one('F', null, '牌靴蓋關閉', 'Tampa do «shoe» fechada', 'Shoe cover closed'),
  215: pair('F', '98', ['斷電時主機艙開啟', 'Área lógica aberta sem energia', 'Logic area opened while off'], 'N', null, ['斷電時主機艙開啟：已查看', 'Área lógica aberta sem energia: verificada', 'Logic area opened while off: looked at']),
  216: pair('F', '99', ['斷電時主門開啟', 'Porta principal aberta sem energia', 'Main door opened while off'], 'N', null, ['斷電時主門開啟：已查看', 'Porta principal aberta sem energia: verificada', 'Main door opened while off: looked at']),
  217: pair('F', '9A', ['斷電時鈔箱取出', 'Cofre aberto sem energia', 'Cash box opened while off'], 'N', null, ['斷電時鈔箱取出：已查看', 'Cofre aberto sem energia: verificado', 'Cash box opened while off: looked at']),
  218: pair('F', '9B', ['斷電時鈔箱門開啟', 'Porta do cofre aberta sem energia', 'Drop door opened while off'], 'N', null, ['斷電時鈔箱門開啟：已查看', 'Porta do cofre aberta sem energia: verificada', 'Drop door opened while off: looked at']),
  219: pair('W', null, ['拒絕進入', 'Acesso negado', 'Access denied'], 'N', null, ['密碼其後正確', 'PIN certo depois de erros', 'Right PIN after wrong ones']),
  220: pair('W', null, ['機櫃板失聯', 'Placa do armário sem ligação', 'Cabinet board disconnected'], 'N', null, ['機櫃板連線', 'Placa do armário ligada', 'Cabinet board connected']),
  221: pair('W', '3B', ['機櫃板電池不足', 'Bateria da placa do armário fraca', 'Battery of the cabinet board low'], 'N', null, ['機櫃板電池正常', 'Bateria da placa do armário em ordem', 'Battery of the cabinet board in order']),
  222: pair('F', '8E', ['機櫃板不符', 'Placa do armário inesperada', 'Another cabinet board'], 'N', null, ['機櫃板獲接納', 'Placa do armário autorizada', 'Cabinet board accepted']),
  223: pair('N', null, ['維修鑰匙轉開', 'Chave de serviço rodada', 'Service key turned'], 'N', null, ['維修鑰匙轉回', 'Chave de serviço reposta', 'Service key turned back']),
  224: pair('N', null, ['鈔箱收取開始', 'Recolha anunciada', 'Drop announced'], 'N', null, ['鈔箱收取完結', 'Recolha terminada', 'Drop ended']),
  225: pair('N', '1B', ['收取時取出鈔箱', 'Cofre retirado na recolha', 'Cash box out in a drop'], 'N', '1C', ['收取後裝回鈔箱', 'Cofre colocado na recolha', 'Cash box back in a drop']),
  // banknotes
  301: one('I', null, '鈔票暫存', 'Nota em espera', 'Note in escrow'),
  302: one('I', '47-4F, 50', '收鈔入帳', 'Nota aceite', 'Note stacked and credited'),
  303: one('I', null, '退還鈔票', 'Nota devolvida', 'Note returned'),
  304: one('I', '2B', '拒收鈔票', 'Nota recusada', 'Note refused'),
  305: one('W', '2C', '疑偽鈔', 'Suspeita de nota falsa', 'Counterfeit suspected'),
  306: pair('F', '28', ['卡鈔', 'Nota encravada', 'Note jam'], 'N', null, ['卡鈔已解除', 'Nota desencravada', 'Note jam over']),
  307: pair('W', '2E', ['鈔箱將滿', 'Cofre quase cheio', 'Cash box nearly full'], 'N', null, ['鈔箱有空位', 'Cofre com espaço', 'Cash box has room']),
  308: pair('F', '27', ['鈔箱已滿', 'Cofre cheio', 'Cash box full'], 'N', null, ['鈔箱已清空', 'Cofre esvaziado', 'Cash box no longer full']),
  309: pair('F', '29', ['入鈔機故障', 'Avaria do aceitador', 'Acceptor failed'], 'N', null, ['入鈔機已修復', 'Aceitador reparado', 'Acceptor repaired']),
  310: pair('F', '2A', ['企圖抽回鈔票', 'Tentativa de puxar nota', 'Note pulled back'], 'N', null, ['抽鈔事件已處理', 'Tentativa verificada', 'Pulled note dealt with']),
  311: pair('F', '29', ['入鈔機失聯', 'Aceitador sem ligação', 'Acceptor disconnected'], 'N', null, ['入鈔機恢復連線', 'Aceitador ligado', 'Acceptor reconnected']),
  312: one('F', '29', '入鈔機自檢失敗', 'Autoteste do aceitador falhou', 'Acceptor self-test failed'),
  313: pair('F', null, ['鈔票待核實', 'Nota retida', 'Note held'], 'N', null, ['再無待核實鈔票', 'Sem notas retidas', 'No note held any more']),
  314: one('N', null, '待核實鈔票已處理', 'Nota retida resolvida', 'Held note resolved'),
  315: pair('W', null, ['拒收過多', 'Recusas excessivas', 'Too many refused notes'], 'N', null, ['拒收過多已處理', 'Recusas verificadas', 'Refused notes dealt with']),
  316: pair('I', null, ['入鈔機停用', 'Aceitador inibido', 'Acceptor disabled'], 'I', null, ['入鈔機啟用', 'Aceitador activado', 'Acceptor enabled']),
  317: one('N', '3C', '可收面額變更', 'Valores aceites alterados', 'Denominations changed'),
  318: pair('F', null, ['訊息次序錯', 'Sequência inválida', 'Message out of sequence'], 'N', null, ['次序錯誤已處理', 'Sequência verificada', 'Sequence error dealt with']),
  319: one('N', '7B', '收鈔計數清零', 'Totais do aceitador repostos', 'Acceptor totals reset'),
  320: pair('F', '8E', ['入鈔機不符', 'Aceitador inesperado', 'Another acceptor or firmware'], 'N', null, ['入鈔機獲接納', 'Aceitador autorizado', 'Acceptor accepted']),
  321: pair('F', null, ['計數異常增加', 'Incremento excessivo', 'Excessive meter increment'], 'N', null, ['計數已核實', 'Incremento verificado', 'Meter increment looked at']),
  322: one('I', null, '達到結餘上限', 'Limite de crédito', 'Credit limit reached'),
  323: pair('W', null, ['面額表未確認', 'Tabela de notas por confirmar', 'Table of notes not confirmed'], 'N', null, ['面額表已確認', 'Tabela de notas confirmada', 'Table of notes confirmed']),
  // the shoe
  401: pair('F', null, ['牌靴失聯', '«Shoe» sem ligação', 'Shoe disconnected'], 'N', null, ['牌靴連線', '«Shoe» ligado', 'Shoe connected']),
  402: one('N', null, '裝牌', 'Cartas carregadas', 'Shoe loaded'),
  403: one('I', null, '派牌', 'Carta dada', 'Card dealt'),
  404: one('I', null, '銷牌', 'Carta retirada', 'Card burned'),
  405: pair('F', null, ['讀牌不清', 'Leitura duvidosa', 'Card in doubt'], 'N', null, ['讀牌已確認', 'Leitura confirmada', 'Card confirmed']),
  406: one('N', null, '重讀紙牌', 'Releitura', 'Card read again'),
  407: one('W', null, '更正紙牌', 'Carta corrigida', 'Card corrected'),
  408: one('W', null, '人手輸入紙牌', 'Carta manual', 'Card entered by hand'),
  409: pair('F', null, ['雙張', 'Carta dupla', 'Double feed'], 'N', null, ['雙張已處理', 'Carta dupla resolvida', 'Double feed over']),
  410: pair('F', null, ['卡牌', 'Encravamento de carta', 'No feed or jam'], 'N', null, ['卡牌已解除', 'Carta desencravada', 'Jam over']),
  411: pair('F', null, ['次序缺漏／重複', 'Sequência em falta ou repetida', 'Gap or repeat of the shoe'], 'N', null, ['次序已核對', 'Sequência conferida', 'Gap dealt with']),
  412: pair('F', null, ['非預期牌', 'Carta inesperada', 'Unexpected card'], 'N', null, ['非預期牌已處理', 'Carta inesperada resolvida', 'Unexpected card dealt with']),
  413: one('F', null, '不可能之牌', 'Carta impossível', 'Impossible card'),
  414: one('N', null, '陽開牌', 'Carta virada', 'Card exposed'),
  415: one('N', null, '白咭出現：最後一局', 'Carta-aviso: última jogada', 'White card out: last round'),
  416: pair('N', null, ['牌靴完結／核對', '«Shoe» terminado ou conferido', 'Shoe ended or reconciled'], 'N', null, ['換上新牌', 'Cartas novas', 'New cards']),
  417: one('N', null, '更換損牌', 'Carta danificada substituída', 'Damaged card replaced'),
  418: one('I', null, '廢牌放回洗牌機', 'Cartas no baralhador', 'Cards returned to the shuffler'),
  419: pair('F', '8E', ['牌靴身分變更', '«Shoe» inesperado', 'Another shoe'], 'N', null, ['牌靴身分已核對', '«Shoe» conferido', 'Shoe accepted']),
  // table and game
  501: pair('N', null, ['開桌', 'Mesa aberta', 'Table opened'], 'N', null, ['收桌', 'Mesa fechada', 'Table closed']),
  502: pair('N', null, ['莊荷登入', 'Croupier entrou', 'Dealer in'], 'N', null, ['莊荷登出', 'Croupier saiu', 'Dealer out']),
  503: pair('I', null, ['開始投注', 'Apostas abertas', 'Betting open'], 'I', null, ['投注截止', 'Apostas fechadas', 'Betting closed']),
  504: pair('I', '89', ['接受投注', 'Aposta aceite', 'Bet accepted'], 'I', null, ['撤回投注', 'Aposta retirada', 'Bet withdrawn']),
  505: pair('I', '7E', ['牌局開始', 'Jogada iniciada', 'Round started'], 'I', '7F', ['牌局結束', 'Jogada terminada', 'Round ended']),
  506: one('I', null, '決定／自動決定', 'Decisão ou decisão por defeito', 'Decision or default'),
  507: one('I', null, '結算', 'Liquidação', 'Settlement'),
  508: one('W', null, '銷去牌局', 'Jogada cancelada', 'Round cancelled'),
  509: pair('W', null, ['牌局暫停', 'Jogada suspensa', 'Table held'], 'W', null, ['解除暫停', 'Jogada retomada', 'Hold released']),
  510: pair('W', null, ['提出投訴', 'Reclamação apresentada', 'Dispute opened'], 'W', null, ['投訴結案', 'Reclamação decidida', 'Dispute resolved']),
  511: one('W', null, '大額贏彩', 'Prémio elevado', 'Substantial win'),
  512: one('N', '54', '累進大獎', 'Jackpot', 'Progressive jackpot'),
  513: one('F', '20', '計算不一致', 'Divergência de cálculo', 'Engines disagree'),
  514: one('I', null, '連勝', '«Winning Streak»', 'Winning streak'),
  515: one('I', '8A', '顯示牌局重播', 'Repetição mostrada', 'Round recalled on a display'),
  // money out, people
  601: pair('I', '66', ['要求取款', 'Levantamento pedido', 'Cash-out requested'], 'I', '55', ['取消取款', 'Levantamento anulado', 'Cash-out cancelled by the player']),
  602: pair('W', '51', ['待人手付款', 'Pagamento em mão pendente', 'Hand-pay pending'], 'N', null, ['再無待付款', 'Pagamento em mão resolvido', 'Hand-pay no longer pending']),
  603: one('N', '52', '已人手付款', 'Pago em mão', 'Hand-paid'),
  604: one('I', '69', '轉帳', 'Transferência', 'Transfer'),
  605: one('I', '67, 68, 3D', '票據', 'Talão', 'Voucher'),
  606: pair('I', '71', ['召喚職員', 'Assistente chamado', 'Attendant called'], 'I', '72', ['取消召喚', 'Chamada anulada', 'Call ended']),
  607: one('W', null, '調整結餘', 'Ajuste do saldo', 'Balance put right'),
  // the receipt printer
  611: pair('W', '60', ['打印機失聯', 'Impressora sem ligação', 'Printer disconnected'], 'N', null, ['打印機連線', 'Impressora ligada', 'Printer connected']),
  612: pair('W', '61', ['打印機缺紙', 'Impressora sem papel', 'Printer out of paper'], 'N', null, ['已裝紙', 'Papel colocado', 'Paper loaded']),
  613: pair('N', '74', ['打印紙將盡', 'Pouco papel', 'Printer paper low'], 'N', null, ['打印紙充足', 'Papel suficiente', 'Printer paper in order']),
  614: pair('W', null, ['打印機蓋打開', 'Tampa da impressora aberta', 'Printer cover open'], 'N', null, ['打印機蓋關閉', 'Tampa da impressora fechada', 'Printer cover closed']),
  615: pair('W', '78', ['打印機故障', 'Avaria da impressora', 'Printer fault'], 'N', null, ['打印機已修復', 'Impressora reparada', 'Printer fault over']),
  616: pair('N', null, ['單據未印出', 'Talão não impresso', 'Slip not printed'], 'I', null, ['單據已印出', 'Talão impresso', 'Slip printed']),
  // the centre
  701: pair('W', null, ['中央斷線', 'Ligação perdida', 'Link down'], 'N', null, ['中央連線', 'Ligação reposta', 'Link up']),
  702: one('W', '70', '待傳佇列將滿', 'Fila quase cheia', 'Queue nearly full'),
  703: one('N', null, '中央指令', 'Comando da central', 'Command of the centre'),
  704: pair('N', '6F', ['中央鎖定', 'Bloqueada pela central', 'Locked by the centre'], 'N', null, ['中央解鎖', 'Desbloqueada pela central', 'Unlocked by the centre']),
  705: pair('F', null, ['同步證明不符', 'Prova de sincronização diverge', 'Sync proof does not match'], 'I', null, ['同步證明相符', 'Prova de sincronização conforme', 'Sync proof matches again']),
  706: one('N', null, '中央校時', 'Acerto de relógio', 'Clock set by the centre'),
  707: pair('N', null, ['中央指令維護', 'Manutenção por ordem da central', 'Maintenance by order of the centre'], 'N', null, ['維護結束', 'Manutenção terminada', 'Maintenance over']),
  // service
  801: one('N', '82', '進入帳目選單', 'Entrada no menu de contadores', 'Attendant menu entered'),
  802: one('N', '83', '離開帳目選單', 'Saída do menu de contadores', 'Attendant menu left'),
  803: one('N', '84', '進入維護', 'Entrada em serviço', 'Service menu entered'),
  804: one('N', '85', '離開維護', 'Saída do serviço', 'Service menu left'),
  805: pair('N', '86', ['停用', 'Fora de serviço', 'Out of service'], 'N', null, ['恢復服務', 'De novo em serviço', 'Back in service']),
  806: one('W', '3C', '設定變更', 'Configuração alterada', 'Configuration changed'),
  807: one('W', '3C', '規則啟用', 'Regras activadas', 'Rules come into force'),
  808: one('I', null, '測試', 'Teste', 'Test performed'),
  809: pair('N', null, ['故障演練', 'Exercício de avaria', 'Fault drill'], 'N', null, ['故障演練結束', 'Fim do exercício', 'Fault drill ended']),
  810: one('W', '7A, 3A', '清機（新期）', 'Limpeza (nova época)', 'Memory clear'),
  811: one('W', '8E', '軟件更新', 'Actualização', 'Software update'),
  812: one('N', null, '匯出', 'Exportação', 'Export made'),
  813: one('W', '3C', '終端機設定檔變更', 'Ficheiro do terminal alterado', 'Terminal file changed'),
  814: one('W', '3C', '人員名單變更', 'Lista de pessoal alterada', 'List of staff changed'),
  815: pair('W', null, ['准許製造商進入', 'Fabricante admitido', 'Manufacturer admitted'], 'N', null, ['製造商不得再進入', 'Fabricante já não admitido', 'Manufacturer no longer admitted']),
  816: one('W', null, '故障未消除時試圖解除', 'Fim de avaria recusado', 'End of a standing fault refused'),
  817: one('N', null, '交班', 'Passagem de turno', 'Shift handed over'),
  // integrity and machine
  901: pair('F', '32', ['帳目自審失敗', 'Autoverificação falhou', 'Self-audit failed'], 'N', null, ['帳目相符', 'Contas conferem', 'Books agree again']),
  902: pair('F', '31, 32', ['儲存錯誤', 'Erro de memória', 'Critical storage error'], 'N', null, ['儲存錯誤已處理', 'Erro de memória resolvido', 'Storage error dealt with']),
  903: pair('F', '32', ['帳鏈斷裂', 'Cadeia quebrada', 'Ledger chain broken'], 'N', null, ['帳鏈已修復', 'Cadeia reposta', 'Ledger chain restored']),
  904: pair('F', '37', ['程式驗證失敗', 'Autenticação falhou', 'Code not authentic'], 'N', '8F', ['程式驗證通過', 'Autenticação conforme', 'Code authentic']),
  905: one('W', '8E', '組件變更', 'Componentes alterados', 'Components changed'),
  906: pair('W', null, ['儲存空間不足', 'Pouco espaço', 'Storage low, full or slow'], 'N', null, ['儲存回復正常', 'Armazenamento normal', 'Storage in order']),
  907: pair('W', '20', ['程序重新啟動', 'Processo reiniciado', 'Process restarted'], 'N', null, ['程序穩定', 'Processo estável', 'Process stays up']),
  908: pair('F', '20', ['螢幕故障', 'Falha de ecrã', 'Display lost'], 'N', null, ['螢幕恢復', 'Ecrã reposto', 'Display back']),
  909: one('I', null, '證據存檔', 'Prova guardada', 'Evidence kept'),
  910: one('W', null, '未知 USB 裝置', 'USB desconhecido', 'Unknown USB device'),
  911: one('W', '20', '溫度／風扇／音訊故障', 'Temperatura, ventoinha ou áudio', 'Temperature, fan or audio'),
  951: one('I', null, '時間提示', 'Lembrete de hora', 'Clock reminder'),
  952: pair('I', null, ['達限／休息', 'Limite ou pausa', 'Limit reached or break'], 'I', null, ['達限已確認', 'Limite confirmado', 'Limit confirmed']),
  953: pair('W', null, ['禁入者', 'Auto-excluído', 'Excluded person'], 'N', null, ['禁入者已離開', 'Auto-excluído saiu', 'Excluded person has gone']),
  954: one('I', null, '博彩者自訂限額', 'Limite do próprio jogador', 'Limit set by the player'),
  955: one('N', null, '博彩時間長', 'Sessão longa', 'Long session'),
} as const satisfies Readonly<Record<number, Single | Pair>>;

export type EventNo = keyof typeof EVENTS;
/** Numbers whose event has an end of its own. */
export type PairedNo = { [No in EventNo]: (typeof EVENTS)[No] extends Pair ? No : never }[EventNo];
export type EventCode = `${EventNo}` | `${PairedNo}C`;

/** Of an event of the list: `306`, or `306C` for its end. */
export function rowOf(code: EventCode): Named {
  const row: Single | Pair = EVENTS[Number.parseInt(code, 10) as EventNo];
  return code.endsWith('C') ? row.end! : row;
}

export const EVENT_CODES: readonly EventCode[] = Object.entries<Single | Pair>(EVENTS).flatMap(([no, row]) =>
  row.end === null ? [no as EventCode] : [no as EventCode, `${no}C` as EventCode],
);

/** What nothing here can detect, and why. */
export const NOT_DETECTED = {
  210: 'told as 209C',
  214: 'told as 213C',
  305: 'not told apart: a note that an EBDS unit classifies as suspect is returned like one without a name (304); ID-003 has no such word',
  312: 'the units tell a failed self-test as a failure: 309',
  319: 'no unit built in here keeps totals that can be reset; the ledger has no reset',
  604: 'there is no transfer of credit to or from a centre',
  605: 'there is no voucher: what is printed is worth nothing, a credit is paid by hand',
  702: 'the queue is the ledger itself: entries wait on disk without a limit of their own, see 906',
  706: 'no command of the centre sets the clock',
  810: 'a ledger is never cleared',
  811: 'the program is replaced from outside; the next start tells it as 905',
  909: 'all that is shown or commanded is in the ledger; there is no second record',
  911: 'no sensor and no audio device is asked',
  951: 'the clock reminder is drawn by the display and told to nobody',
} as const satisfies Partial<Record<EventNo, string>>;
